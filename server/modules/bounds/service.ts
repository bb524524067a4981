import type { Bounds } from '@tallystick/contract/bounds';
import { AppError } from '../../platform/app-error.ts';
import type { Actor } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { createProposals } from '../../platform/second-operator.ts';
import { agreedBounds, decideBounds, insertBounds, lockBounds, waitingBounds } from './store.ts';

export type { BoundsRow } from './store.ts';

/** Exactly the bounds, in the order in which people read them. */
function boundsOf(row: Bounds): Bounds {
  const { thresholdCents, chainThresholdCents, planPointsPerDayMax, planDaysMin, planDaysMax, planCentsMax } =
    row;
  return { thresholdCents, chainThresholdCents, planPointsPerDayMax, planDaysMin, planDaysMax, planCentsMax };
}

const toJson = (bounds: Bounds) => {
  const { thresholdCents, chainThresholdCents, planCentsMax, ...rest } = boundsOf(bounds);
  return {
    thresholdCents: String(thresholdCents),
    chainThresholdCents: String(chainThresholdCents),
    ...rest,
    planCentsMax: String(planCentsMax),
  };
};

const isSame = (one: Bounds, other: Bounds) => JSON.stringify(toJson(one)) === JSON.stringify(toJson(other));

/** What one operator may do alone. Wider or narrower: another set counts once a second operator has agreed to it. */
export function createBounds({ db, clock }: { db: Db; clock: Clock }) {
  const changes = createProposals({
    db,
    clock,
    unknown: 'There are no such bounds.',
    decided: () => 'These bounds were decided',
    taken: 'Other bounds wait for a second operator already.',
    insert: insertBounds,
    lock: lockBounds,
    async decide(tx, row, decision) {
      await decideBounds(tx, row.id, decision);
      const action = decision.agreed ? 'bounds.agreed' : 'bounds.dropped';
      return { action, details: { ...toJson(row), askedBy: row.askedBy } };
    },
  });

  return {
    /** Those that count now; in a transaction, those that it sees. */
    bounds: async ({ tx }: { tx?: Tx } = {}): Promise<Bounds> => boundsOf(await agreedBounds(tx ?? db)),

    waitingBounds: () => waitingBounds(db),

    async proposeBounds({ bounds, actor }: { bounds: Bounds; actor: Actor }): Promise<void> {
      await inTransaction(db, async (tx) => {
        if (isSame(bounds, await agreedBounds(tx))) {
          throw new AppError('already_decided', 'These are the bounds already.');
        }
        await changes.propose(tx, bounds, { actor, action: 'bounds.asked', details: toJson(bounds) });
      });
    },

    agreeBounds: changes.agree,
    discardBounds: changes.discard,
  };
}

export type BoundsRegister = ReturnType<typeof createBounds>;
