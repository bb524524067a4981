import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction } from '../../platform/postgres/db.ts';
import type { Networks } from '../networks/service.ts';
import { unpaid } from './paying.ts';
import { lockWithdrawals, updateWithdrawals } from './store.ts';

/** What the first of two has named as the payment of a withdrawal. */
export function createNaming({ db, clock, networks }: { db: Db; clock: Clock; networks: Networks }) {
  return {
    /** By either operator: it waits again as if nobody had said that it was paid. */
    async dropPayment({ id, actor }: { id: string; actor: Actor }): Promise<void> {
      await inTransaction(db, async (tx) => {
        const [row] = await lockWithdrawals(tx, [id]);
        if (!row) throw new AppError('not_found', 'There is no such withdrawal.');
        const { firstPaidBy, status, transactionid, chainTxid, chainOutput, userId } = row;
        if (!firstPaidBy || status !== 'approved') {
          throw new AppError('already_decided', 'Nobody has named a payment of this withdrawal (any more).');
        }
        await updateWithdrawals(tx, [{ ...row, ...unpaid }]);
        await networks.giveUpClaims(tx, [transactionid]);
        const details = { transactionid, chainTxid, chainOutput, firstPaidBy };
        const entry = { actor, action: 'withdrawal.payment-dropped', subjectId: userId, details };
        await writeAudit(tx, entry, clock.now());
      });
    },
  };
}
