import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { logTime, writeLogEntry } from '../../platform/log/outbox.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { allMethods, insertMethod, switchMethod, type WithdrawalMethodRow } from './store.ts';

type Told = Pick<WithdrawalMethodRow, 'id' | 'methodname' | 'network' | 'active'>;

/** As the public log tells it. */
async function tellLog(tx: Tx, { id, methodname, network, active }: Told, now: Date): Promise<void> {
  const lines = [
    ['time', logTime(now)],
    ['method', id],
    ['side', 'out'],
    ['name', methodname],
    ['network', network],
    ['state', active ? 'on' : 'off'],
  ] as const;
  await writeLogEntry(tx, 'method/v1', lines, now);
}

/** The ways out. */
export function createMethods({ db, clock }: { db: Db; clock: Clock }) {
  return {
    allWithdrawalMethods: () => allMethods(db),

    async addWithdrawalMethod(input: {
      method: Pick<WithdrawalMethodRow, 'methodname' | 'network'>;
      actor: Actor;
    }) {
      const { method, actor } = input;
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const methodId = await insertMethod(tx, method, now);
        if (!methodId)
          throw new AppError('name_taken', `There is a way out called ${method.methodname} already.`);
        await tellLog(tx, { ...method, id: methodId, active: true }, now);
        const details = { methodname: method.methodname, network: method.network };
        await writeAudit(tx, { actor, action: 'withdrawal-method.added', subjectId: methodId, details }, now);
        return { methodId };
      });
    },

    async switchWithdrawalMethod(input: { methodId: string; active: boolean; actor: Actor }): Promise<void> {
      const { methodId, active, actor } = input;
      await inTransaction(db, async (tx) => {
        const method = (await allMethods(tx)).find(({ id }) => id === methodId);
        if (!method) throw new AppError('not_found', 'There is no such withdrawal method.');
        if (!(await switchMethod(tx, methodId, active))) {
          throw new AppError('already_decided', `This method is ${active ? 'on' : 'off'} already.`);
        }
        const now = clock.now();
        await tellLog(tx, { ...method, active }, now);
        const action = active ? 'withdrawal-method.switched-on' : 'withdrawal-method.switched-off';
        const details = { methodname: method.methodname };
        await writeAudit(tx, { actor, action, subjectId: methodId, details }, now);
      });
    },
  };
}
