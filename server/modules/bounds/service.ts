import type { Bounds } from '@tallystick/contract/bounds';
import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { nameOf, refuseAgreement } from '../../platform/second-operator.ts';
import {
  agreedBounds,
  type BoundsRow,
  decideBounds,
  insertBounds,
  lockBounds,
  waitingBounds,
} from './store.ts';

export type { BoundsRow } from './store.ts';

/** Exactly the bounds, in the order in which people read them. */
function boundsOf(row: Bounds): Bounds {
  const { thresholdCents, planPointsPerDayMax, planDaysMin, planDaysMax, planCentsMax } = row;
  return { thresholdCents, planPointsPerDayMax, planDaysMin, planDaysMax, planCentsMax };
}

const toJson = (bounds: Bounds) => {
  const { thresholdCents, planCentsMax, ...rest } = boundsOf(bounds);
  return { thresholdCents: String(thresholdCents), ...rest, planCentsMax: String(planCentsMax) };
};

const isSame = (one: Bounds, other: Bounds) => JSON.stringify(toJson(one)) === JSON.stringify(toJson(other));

/** What one operator may do alone. Wider or narrower: another set counts once a second operator has agreed to it. */
export function createBounds({ db, clock }: { db: Db; clock: Clock }) {
  async function takeWaiting(tx: Tx, boundsId: string): Promise<BoundsRow> {
    const row = await lockBounds(tx, boundsId);
    if (!row) throw new AppError('not_found', 'There are no such bounds.');
    if (row.decidedAt) {
      throw new AppError('already_decided', `These bounds were decided already, by ${row.decidedBy}.`);
    }
    return row;
  }

  async function decide(tx: Tx, row: BoundsRow, actor: Actor, agreed: boolean): Promise<void> {
    const now = clock.now();
    await decideBounds(tx, row.id, { agreed, by: nameOf(actor), now });
    const action = agreed ? 'bounds.agreed' : 'bounds.dropped';
    await writeAudit(tx, { actor, action, details: { ...toJson(row), askedBy: row.askedBy } }, now);
  }

  return {
    /** Those that count now; in a transaction, those that it sees. */
    bounds: async ({ tx }: { tx?: Tx } = {}): Promise<Bounds> => boundsOf(await agreedBounds(tx ?? db)),

    waitingBounds: () => waitingBounds(db),

    async proposeBounds({ bounds, actor }: { bounds: Bounds; actor: Actor }): Promise<void> {
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        if (isSame(bounds, await agreedBounds(tx))) {
          throw new AppError('already_decided', 'These are the bounds already.');
        }
        if (!(await insertBounds(tx, bounds, { askedBy: nameOf(actor), now }))) {
          throw new AppError('already_decided', 'Other bounds wait for a second operator already.');
        }
        await writeAudit(tx, { actor, action: 'bounds.asked', details: toJson(bounds) }, now);
      });
    },

    async agreeBounds({ boundsId, actor }: { boundsId: string; actor: Actor }): Promise<void> {
      await inTransaction(db, async (tx) => {
        const row = await takeWaiting(tx, boundsId);
        await refuseAgreement(tx, row, actor);
        await decide(tx, row, actor, true);
      });
    },

    async discardBounds({ boundsId, actor }: { boundsId: string; actor: Actor }): Promise<void> {
      await inTransaction(db, async (tx) => decide(tx, await takeWaiting(tx, boundsId), actor, false));
    },
  };
}

export type BoundsRegister = ReturnType<typeof createBounds>;
