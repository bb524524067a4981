import { randomUUID } from 'node:crypto';
import { whyPlanNeedsTwo } from '@tallystick/contract/bounds';
import type { Cents } from '@tallystick/contract/money';
import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { logTime, writeLogEntry } from '../../platform/log/outbox.ts';
import { type Db, inTransaction, type ReadDb, type Tx } from '../../platform/postgres/db.ts';
import type { JsonObject } from '../../platform/postgres/schema.ts';
import { createProposals } from '../../platform/second-operator.ts';
import type { BoundsRegister } from '../bounds/service.ts';
import {
  activePlans,
  insertPlan,
  lockPlan,
  newestPlans,
  openByLine,
  type PlanRow,
  placePlans,
  switchPlan,
} from './plan-store.ts';
import {
  decideProposal,
  insertProposal,
  isAgreedByTwo,
  lockProposal,
  waitingProposals,
} from './proposal-store.ts';
import { draftRefusal, exitTermsOf, type PlanDraft, type PlanTerms, wholeTerms } from './rules.ts';

/** The newest version of a plan, with what is open on any of its versions. */
export interface OfferedPlan extends PlanRow {
  openCount: number;
  openCents: Cents;
}

/** On the site, or, beyond the bounds, waiting for a second operator. */
type Offering = { planId: string } | { because: string[] };

/** What it does not offer is not told. */
const draftToJson = (draft: PlanTerms): JsonObject => {
  const { planname, fromCents, toCents, durationDays, roiPoints, reinvestable } = draft;
  const exit = exitTermsOf(draft);
  return {
    planname,
    durationDays,
    roiPoints,
    fromCents: String(fromCents),
    toCents: String(toCents),
    ...(reinvestable && { reinvestable }),
    ...(exit && {
      exitFromDay: exit.fromDay,
      exitKeepsPoints: exit.keepsPoints,
      exitFeePoints: exit.feePoints,
    }),
  };
};

function termsToOffer(draft: PlanDraft): PlanTerms {
  const terms = wholeTerms(draft);
  const refusal = draftRefusal(terms);
  if (refusal) throw new AppError('outside_range', refusal);
  return terms;
}

const nameTaken = (planname: string) =>
  new AppError('name_taken', `There is a plan called ${planname} on the site already.`);

/** Takes hold of the version that is current; a new one may only take its place. */
async function lockCurrent(tx: Tx, planId: string): Promise<PlanRow> {
  const plan = await lockPlan(tx, planId);
  if (!plan) throw new AppError('not_found', 'There is no such plan.');
  const newest = (await newestPlans(tx)).find(({ lineId }) => lineId === plan.lineId);
  if (newest?.id !== plan.id) {
    throw new AppError('already_decided', 'This version is not the current one (any more).');
  }
  return plan;
}

/** The public log has every version of a plan, which takes the place of the one before, and every switch. */
async function tellLog(tx: Tx, plan: PlanRow, active: boolean, now: Date): Promise<void> {
  const exit = exitTermsOf(plan);
  const more = [
    ['reinvest', plan.reinvestable ? 'yes' : 'no'],
    ...(exit
      ? [
          ['leave', String(exit.fromDay)],
          ['keeps', String(exit.keepsPoints)],
          ['fee', String(exit.feePoints)],
        ]
      : []),
  ] as [string, string][];
  // A plan without such terms is told as it always was: who has an older program can read it.
  const isPlain = exit === null && !plan.reinvestable;
  const lines = [
    ['time', logTime(now)],
    ['plan', plan.lineId],
    ['version', String(plan.version)],
    ['name', plan.planname],
    ['from', String(plan.fromCents)],
    ['to', String(plan.toCents)],
    ['days', String(plan.durationDays)],
    ['points', String(plan.roiPoints)],
    ...(isPlain ? [] : more),
    ['state', active ? 'on' : 'off'],
  ] as [string, string][];
  await writeLogEntry(tx, isPlain ? 'plan/v1' : 'plan/v2', lines, now);
}

/** What can be invested in. A plan is never edited: a new version takes the place of the old. */
export function createPlans({ db, clock, bounds }: { db: Db; clock: Clock; bounds: BoundsRegister }) {
  /** Puts a draft onto the site: as a new plan, or in the place of an old version. Says what the audit log shall keep. */
  async function publish(
    tx: Tx,
    { planId, draft, old }: { planId: string; draft: PlanTerms; old: PlanRow | null },
    now: Date,
  ) {
    if (old) await switchPlan(tx, old.id, false);
    const place = old
      ? { lineId: old.lineId, position: old.position, version: old.version + 1 }
      : { lineId: randomUUID(), position: null, version: 1 };
    const plan = await insertPlan(tx, { ...draft, ...place, id: planId }, now);
    if (!plan) throw nameTaken(draft.planname);
    await tellLog(tx, plan, true, now);
    const details = { ...(old && { replaces: old.id }), ...draftToJson(draft) };
    return { action: old ? 'plan.replaced' : 'plan.added', subjectId: planId, details };
  }

  const proposals = createProposals({
    db,
    clock,
    unknown: 'There is no such draft of a plan.',
    decided: () => 'This draft was decided',
    taken: 'Another draft of this plan waits for a second operator.',
    insert: insertProposal,
    lock: lockProposal,
    async decide(tx, proposal, { agreed, by, now }) {
      const { id, replaces, askedBy } = proposal;
      if (!agreed) {
        await decideProposal(tx, id, { planId: null, by, now });
        return { action: 'plan.dropped', details: { ...draftToJson(proposal), askedBy } };
      }
      const old = replaces === null ? null : await lockCurrent(tx, replaces);
      const planId = randomUUID();
      await decideProposal(tx, id, { planId, by, now });
      const trace = await publish(tx, { planId, draft: proposal, old }, now);
      return { ...trace, details: { ...trace.details, askedBy } };
    },
  });

  async function offer(tx: Tx, draft: PlanTerms, old: PlanRow | null, actor: Actor): Promise<Offering> {
    const because = whyPlanNeedsTwo(draft, await bounds.bounds({ tx }));
    if (because.length === 0) {
      const now = clock.now();
      const planId = randomUUID();
      await writeAudit(tx, { actor, ...(await publish(tx, { planId, draft, old }, now)) }, now);
      return { planId };
    }
    const isTaken = (await activePlans(tx)).some(
      ({ lineId, planname }) =>
        lineId !== old?.lineId && planname.toLowerCase() === draft.planname.toLowerCase(),
    );
    if (isTaken) throw nameTaken(draft.planname);
    const details = { ...(old && { replaces: old.id }), ...draftToJson(draft), because };
    const asked = { ...draft, replaces: old?.id ?? null };
    await proposals.propose(tx, asked, { actor, action: 'plan.asked', details });
    return { because };
  }

  return {
    plans: ({ on = db }: { on?: ReadDb } = {}) => activePlans(on),
    waitingPlans: () => waitingProposals(db),

    async offeredPlans(): Promise<OfferedPlan[]> {
      const [newest, open] = await Promise.all([newestPlans(db), openByLine(db)]);
      const byLine = new Map(open.map((each) => [each.lineId, each]));
      return newest.map((plan) => ({
        ...plan,
        openCount: Number(byLine.get(plan.lineId)?.count ?? 0n),
        openCents: byLine.get(plan.lineId)?.cents ?? 0n,
      }));
    },

    async addPlan({ plan, actor }: { plan: PlanDraft; actor: Actor }): Promise<Offering> {
      const terms = termsToOffer(plan);
      return inTransaction(db, (tx) => offer(tx, terms, null, actor));
    },

    /** What was invested keeps its own terms. A plan that is off is on again with its new version. */
    async replacePlan(input: { planId: string; plan: PlanDraft; actor: Actor }): Promise<Offering> {
      const { planId, plan, actor } = input;
      const terms = termsToOffer(plan);
      return inTransaction(db, async (tx) => offer(tx, terms, await lockCurrent(tx, planId), actor));
    },

    agreePlan: proposals.agree,
    discardPlan: proposals.discard,

    async switchPlan(input: { planId: string; active: boolean; actor: Actor }): Promise<void> {
      const { planId, active, actor } = input;
      await inTransaction(db, async (tx) => {
        const plan = await lockPlan(tx, planId);
        if (!plan) throw new AppError('not_found', 'There is no such plan.');
        if (plan.active === active) {
          throw new AppError('already_decided', `This plan is ${active ? 'on' : 'off'} already.`);
        }
        await lockCurrent(tx, planId);
        const [because] = whyPlanNeedsTwo(plan, await bounds.bounds({ tx }));
        if (active && because && !(await isAgreedByTwo(tx, planId))) {
          throw new AppError(
            'second_operator_needed',
            `${because}. Save it as a new version: that one can wait for a second operator.`,
          );
        }
        if (!(await switchPlan(tx, planId, active))) throw nameTaken(plan.planname);
        const now = clock.now();
        await tellLog(tx, plan, active, now);
        const action = active ? 'plan.switched-on' : 'plan.switched-off';
        const details = { planname: plan.planname, version: plan.version };
        await writeAudit(tx, { actor, action, subjectId: planId, details }, now);
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
