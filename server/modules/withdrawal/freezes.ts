import { AppError, errorOf } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { logTime, writeLogEntry } from '../../platform/log/outbox.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { firstThatCounts, nameOf, refuseTwice } from '../../platform/second-operator.ts';
import {
  countFrozen,
  deleteFreeze,
  freezeForTwo,
  freezeOf,
  insertFreeze,
  lockFreeze,
  unfreezeFirst,
} from './freeze-store.ts';

/** The public log says that somebody's withdrawals are frozen, and not whose. */
async function tellLog(tx: Tx, state: 'on' | 'off', now: Date): Promise<void> {
  const lines = [
    ['time', logTime(now)],
    ['scope', 'investor'],
    ['state', state],
  ] as const;
  await writeLogEntry(tx, 'freeze/v1', lines, now);
}

/** What keeps an investor's money from going out for a while. */
export function createFreezes({ db, clock }: { db: Db; clock: Clock }) {
  return {
    /** For whoever watches the server. */
    health: async () => ({ frozenInvestors: await countFrozen(db) }),

    freezeOf: ({ userId }: { userId: string }) => freezeOf(db, userId),

    async freezeInvestor({ userId, reason, actor }: { userId: string; reason: string; actor: Actor }) {
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        const frozen = await insertFreeze(tx, { userId, reason, by: nameOf(actor), now });
        if (frozen === null) throw new AppError('not_found', 'There is no such investor.');
        if (!frozen) throw new AppError('already_decided', 'These withdrawals are frozen already.');
        await tellLog(tx, 'on', now);
        await writeAudit(
          tx,
          { actor, action: 'withdrawal.frozen', subjectId: userId, details: { reason } },
          now,
        );
      });
    },

    /** Money that was credited is gone from its chain: nothing goes out before two have looked into it. */
    async freezeAfterLoss(tx: Tx, lost: { userId: string; transactionid: string }[]): Promise<void> {
      const now = clock.now();
      for (const { userId, transactionid } of lost) {
        const reason = `The network took back a payment that was credited, ${transactionid}`;
        if (await insertFreeze(tx, { userId, reason, by: 'chain', now })) await tellLog(tx, 'on', now);
        await freezeForTwo(tx, userId, reason);
        const details = { reason, transactionid };
        const actor = { kind: 'system' } as const;
        await writeAudit(tx, { actor, action: 'withdrawal.frozen', subjectId: userId, details }, now);
      }
    },

    /** After a loss the first of two only says so; what somebody said who is an operator no more does not count. */
    async unfreezeInvestor(input: { userId: string; reason: string; actor: Actor }) {
      const { userId, reason, actor } = input;
      return inTransaction(db, async (tx) => {
        const freeze = await lockFreeze(tx, userId);
        if (!freeze) {
          throw new AppError('already_decided', 'These withdrawals are not frozen (any more).');
        }
        const by = nameOf(actor);
        const first = await firstThatCounts(tx, freeze.firstUnfrozenBy);
        const refused = refuseTwice(first, by, 'confirmed');
        if (refused) throw errorOf(refused);
        const isOver = !freeze.afterLoss || first !== null;
        const now = clock.now();
        await (isOver ? deleteFreeze(tx, userId) : unfreezeFirst(tx, userId, by, now));
        if (isOver) await tellLog(tx, 'off', now);
        const action = isOver ? 'withdrawal.unfrozen' : 'withdrawal.unfrozen-first';
        const details = first ? { reason, firstUnfrozenBy: first } : { reason };
        await writeAudit(tx, { actor, action, subjectId: userId, details }, now);
        return { isOver };
      });
    },
  };
}
