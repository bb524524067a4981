import type { Cents } from '@tallystick/contract/money';
import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import {
  agreedThreshold,
  decideThreshold,
  deleteFreeze,
  freezeOf,
  insertFreeze,
  insertThreshold,
  lockThreshold,
  lockThresholds,
  type ThresholdRow,
  waitingThreshold,
} from './controls-store.ts';

/** Until operators agree on another one: $5,000. */
const thresholdCentsDefault: Cents = 500_000n;
const nameOf = (actor: Actor) => actor.id ?? actor.kind;

export async function thresholdOf(db: Db | Tx): Promise<Cents> {
  return (await agreedThreshold(db)) ?? thresholdCentsDefault;
}

/** What keeps money from going out: an investor's freeze, and the amount above which two operators approve. */
export function createControls({ db, clock }: { db: Db; clock: Clock }) {
  async function decide(
    input: { thresholdId: string; actor: Actor; agreed: boolean },
    refusal: (row: ThresholdRow) => AppError | null,
  ): Promise<void> {
    const { thresholdId, actor, agreed } = input;
    await inTransaction(db, async (tx) => {
      await lockThresholds(tx);
      const row = await lockThreshold(tx, thresholdId);
      if (!row) throw new AppError('not_found', 'There is no such threshold.');
      if (row.decidedAt) {
        throw new AppError('already_decided', `This threshold was decided already, by ${row.decidedBy}.`);
      }
      const refused = refusal(row);
      if (refused) throw refused;
      const now = clock.now();
      await decideThreshold(tx, thresholdId, { agreed, by: nameOf(actor), now });
      const action = agreed ? 'threshold.agreed' : 'threshold.dropped';
      const details = { amountCents: String(row.amountCents), askedBy: row.askedBy };
      await writeAudit(tx, { actor, action, details }, now);
    });
  }

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

    async unfreezeInvestor({ userId, reason, actor }: { userId: string; reason: string; actor: Actor }) {
      await inTransaction(db, async (tx) => {
        if (!(await deleteFreeze(tx, userId))) {
          throw new AppError('already_decided', 'These withdrawals are not frozen (any more).');
        }
        const entry = { actor, action: 'withdrawal.unfrozen', subjectId: userId, details: { reason } };
        await writeAudit(tx, entry, clock.now());
      });
    },

    threshold: (): Promise<Cents> => thresholdOf(db),
    waitingThreshold: () => waitingThreshold(db),

    /** A lower one counts at once; a higher one lets more money out by one hand and waits for a second. */
    async setThreshold({ amountCents, actor }: { amountCents: Cents; actor: Actor }) {
      return inTransaction(db, async (tx) => {
        await lockThresholds(tx);
        const now = clock.now();
        const current = await thresholdOf(tx);
        if (amountCents === current) {
          throw new AppError('already_decided', 'This is the threshold already.');
        }
        const agreed = amountCents < current;
        if (!(await insertThreshold(tx, { amountCents, askedBy: nameOf(actor), now, agreed }))) {
          throw new AppError('already_decided', 'Another threshold waits for a second operator already.');
        }
        const action = agreed ? 'threshold.lowered' : 'threshold.asked';
        const details = { amountCents: String(amountCents), fromCents: String(current) };
        await writeAudit(tx, { actor, action, details }, now);
        return { agreed };
      });
    },

    agreeThreshold: ({ thresholdId, actor }: { thresholdId: string; actor: Actor }) =>
      decide({ thresholdId, actor, agreed: true }, ({ askedBy }) =>
        askedBy === nameOf(actor)
          ? new AppError('second_operator_needed', 'Another operator has to agree to what you asked for.')
          : null,
      ),

    discardThreshold: ({ thresholdId, actor }: { thresholdId: string; actor: Actor }) =>
      decide({ thresholdId, actor, agreed: false }, () => null),
  };
}
