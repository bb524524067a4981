import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { nameOf } from '../../platform/second-operator.ts';
import { deleteFreeze, freezeOf, insertFreeze } from './store.ts';

/** What keeps an investor's money from going out for a while. */
export function createFreezes({ db, clock }: { db: Db; clock: Clock }) {
  return {
    freezeOf: ({ userId }: { userId: string }) => freezeOf(db, userId),

    async freezeInvestor({ userId, reason, actor }: { userId: string; reason: string; actor: Actor }) {
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        const frozen = await insertFreeze(tx, { userId, reason, by: nameOf(actor), now });
        if (frozen === null) throw new AppError('not_found', 'There is no such investor.');
        if (!frozen) throw new AppError('already_decided', 'These withdrawals are frozen already.');
        await writeAudit(
          tx,
          { actor, action: 'withdrawal.frozen', subjectId: userId, details: { reason } },
          now,
        );
      });
    },

    /** Money that was credited is gone from its chain: nothing goes out before people have looked into it. */
    async freezeAfterLoss(tx: Tx, lost: { userId: string; transactionid: string }[]): Promise<void> {
      const now = clock.now();
      for (const { userId, transactionid } of lost) {
        const reason = `The network took back a payment that was credited, ${transactionid}`;
        if (!(await insertFreeze(tx, { userId, reason, by: 'chain', now }))) continue;
        const actor = { kind: 'system' } as const;
        await writeAudit(
          tx,
          { actor, action: 'withdrawal.frozen', subjectId: userId, details: { reason } },
          now,
        );
      }
    },

    async unfreezeInvestor({ userId, reason, actor }: { userId: string; reason: string; actor: Actor }) {
      await inTransaction(db, async (tx) => {
        if (!(await deleteFreeze(tx, userId))) {
          throw new AppError('already_decided', 'These withdrawals are not frozen (any more).');
        }
        const entry = { actor, action: 'withdrawal.unfrozen', subjectId: userId, details: { reason } };
        await writeAudit(tx, entry, clock.now());
      });
    },
  };
}
