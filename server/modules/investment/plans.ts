import { randomUUID } from 'node:crypto';
import type { Cents } from '@tallystick/contract/money';
import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction } from '../../platform/db.ts';
import type { JsonObject } from '../../platform/schema.ts';
import {
  activePlans,
  insertPlan,
  lockPlan,
  newestPlans,
  openByLine,
  type PlanRow,
  placePlans,
  switchPlan,
} from './store.ts';

/** What a new plan, or a new version of one, says. */
export interface PlanDraft {
  planname: string;
  fromCents: Cents;
  toCents: Cents;
  durationDays: number;
  roiPoints: number;
}

/** The newest version of a plan, with what is open on any of its versions. */
export interface OfferedPlan extends PlanRow {
  openCount: number;
  openCents: Cents;
}

const draftToJson = ({ fromCents, toCents, ...rest }: PlanDraft): JsonObject => ({
  ...rest,
  fromCents: String(fromCents),
  toCents: String(toCents),
});

function refuseDraft({ fromCents, toCents }: PlanDraft): void {
  if (fromCents > toCents) throw new AppError('outside_range', 'The range begins above its end.');
}

const nameTaken = (planname: string) =>
  new AppError('name_taken', `There is a plan called ${planname} on the site already.`);

/** What can be invested in. A plan is never edited: a new version takes the place of the old. */
export function createPlans({ db, clock }: { db: Db; clock: Clock }) {
  return {
    plans: () => activePlans(db),

    async offeredPlans(): Promise<OfferedPlan[]> {
      const [newest, open] = await Promise.all([newestPlans(db), openByLine(db)]);
      const byLine = new Map(open.map((each) => [each.lineId, each]));
      return newest.map((plan) => ({
        ...plan,
        openCount: Number(byLine.get(plan.lineId)?.count ?? 0n),
        openCents: byLine.get(plan.lineId)?.cents ?? 0n,
      }));
    },

    async addPlan({ plan, actor }: { plan: PlanDraft; actor: Actor }): Promise<{ planId: string }> {
      refuseDraft(plan);
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const fresh = { ...plan, lineId: randomUUID(), version: 1, position: null };
        const made = await insertPlan(tx, fresh, now);
        if (!made) throw nameTaken(plan.planname);
        const details = draftToJson(plan);
        await writeAudit(tx, { actor, action: 'plan.added', subjectId: made.id, details }, now);
        return { planId: made.id };
      });
    },

    /** What was invested keeps its own terms. A plan that is off is on again with its new version. */
    async replacePlan({ planId, plan, actor }: { planId: string; plan: PlanDraft; actor: Actor }) {
      refuseDraft(plan);
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const old = await lockPlan(tx, planId);
        if (!old) throw new AppError('not_found', 'There is no such plan.');
        const newest = (await newestPlans(tx)).find(({ lineId }) => lineId === old.lineId);
        if (newest?.id !== old.id) {
          throw new AppError('already_decided', 'This version is not the current one (any more).');
        }
        await switchPlan(tx, old.id, false);
        const { lineId, position } = old;
        const made = await insertPlan(tx, { ...plan, lineId, position, version: old.version + 1 }, now);
        if (!made) throw nameTaken(plan.planname);
        const details = { replaces: old.id, ...draftToJson(plan) };
        await writeAudit(tx, { actor, action: 'plan.replaced', subjectId: made.id, details }, now);
        return { planId: made.id };
      });
    },

    async switchPlan(input: { planId: string; active: boolean; actor: Actor }): Promise<void> {
      const { planId, active, actor } = input;
      await inTransaction(db, async (tx) => {
        const plan = await lockPlan(tx, planId);
        if (!plan) throw new AppError('not_found', 'There is no such plan.');
        if (plan.active === active) {
          throw new AppError('already_decided', `This plan is ${active ? 'on' : 'off'} already.`);
        }
        const newest = (await newestPlans(tx)).find(({ lineId }) => lineId === plan.lineId);
        if (newest?.id !== plan.id) {
          throw new AppError('already_decided', 'This version is not the current one (any more).');
        }
        if (!(await switchPlan(tx, planId, active))) throw nameTaken(plan.planname);
        const action = active ? 'plan.switched-on' : 'plan.switched-off';
        const details = { planname: plan.planname, version: plan.version };
        await writeAudit(tx, { actor, action, subjectId: planId, details }, clock.now());
      });
    },

    async orderPlans({ ids, actor }: { ids: string[]; actor: Actor }): Promise<void> {
      await inTransaction(db, async (tx) => {
        if ((await placePlans(tx, ids)) !== new Set(ids).size) {
          throw new AppError('not_found', 'One of these plans does not exist.');
        }
        await writeAudit(tx, { actor, action: 'plan.ordered', details: { ids } }, clock.now());
      });
    },
  };
}
