import { randomUUID } from 'node:crypto';
import { pageSize } from '@tallystick/contract/list';
import type { Cents } from '@tallystick/contract/money';
import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction } from '../../platform/db.ts';
import type { Logger } from '../../platform/logger.ts';
import type { JsonObject } from '../../platform/schema.ts';
import { type Ledger, type MoneyCommand, movement, newTransactionId, refuse } from '../ledger/service.ts';
import type { Mail } from '../mail/service.ts';
import type { Users } from '../users/service.ts';
import { rangeRefusal, termsOf } from './rules.ts';
import { createSettlement } from './settlement.ts';
import {
  activePlans,
  countInvestments,
  type InvestmentFilter,
  type InvestmentRow,
  insertInvestments,
  insertPlan,
  investmentsBefore,
  lockPlan,
  nextToMature,
  type PlanRow,
  pageOfInvestments,
  plansForInvesting,
  switchPlan,
} from './store.ts';

export type { InvestmentRow, PlanRow } from './store.ts';

interface InvestmentNeeds {
  db: Db;
  clock: Clock;
  ledger: Ledger;
  mail: Mail;
  users: Users;
  logger: Logger;
}

interface Invest extends MoneyCommand {
  userId: string;
  planId: string;
  amountCents: Cents;
}

/** What a new plan, or a new version of one, says. */
export interface PlanDraft {
  planname: string;
  fromCents: Cents;
  toCents: Cents;
  durationDays: number;
  roiPoints: number;
  position: number;
}

const streamedAtOnce = 1000;
const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
const noSuchPlan = refuse('not_found', 'This plan is not offered (any more). Choose another.');

const draftToJson = ({ fromCents, toCents, ...rest }: PlanDraft): JsonObject => ({
  ...rest,
  fromCents: String(fromCents),
  toCents: String(toCents),
});

/** Plans, investing in them, and paying what is due. */
export function createInvestment(needs: InvestmentNeeds) {
  const { db, clock, ledger } = needs;

  const invest = ledger.verb<Invest, Map<string, PlanRow>, InvestmentRow>({
    bodyOf: ({ planId, amountCents }) => ['invest', planId, String(amountCents)],
    async read(tx, commands) {
      const ids = [...new Set(commands.map(({ planId }) => planId).filter(isUuid))];
      const plans = ids.length > 0 ? await plansForInvesting(tx, ids) : [];
      return new Map(plans.map((plan) => [plan.id, plan]));
    },
    accountsOf: ({ userId }) => [
      { kind: 'wallet', ownerId: userId },
      { kind: 'invested', ownerId: userId },
    ],
    decide({ command: { userId, planId, amountCents }, facts: plans, book, now }) {
      const plan = plans.get(planId.toLowerCase());
      if (!plan) return noSuchPlan;
      const outside = rangeRefusal(plan, amountCents);
      if (outside) return refuse('outside_range', outside);
      const row: InvestmentRow = {
        id: randomUUID(),
        userId,
        planId: plan.id,
        transactionid: newTransactionId(),
        ...termsOf(plan, amountCents, now),
        settledAt: null,
      };
      const label = 'Investment';
      const posted = book.post(
        movement({
          kind: 'investment',
          transactionid: row.transactionid,
          at: now,
          reference: row.id,
          postings: [
            { account: { kind: 'wallet', ownerId: userId }, amountCents: -amountCents, label },
            { account: { kind: 'invested', ownerId: userId }, amountCents, label },
          ],
        }),
      );
      if (posted === 'short') {
        return refuse('insufficient_funds', 'Your wallet does not hold that much.');
      }
      return { row };
    },
    async write(tx, rows) {
      if (rows.length > 0) await insertInvestments(tx, rows);
    },
  });

  return {
    ...createSettlement(needs),

    plans: () => activePlans(db),

    makeInvestment: (command: Omit<Invest, 'scope'>): Promise<InvestmentRow> =>
      invest({ ...command, scope: command.userId }),

    async pageOfInvestments({ page, ...filter }: InvestmentFilter & { page: number }) {
      const total = await countInvestments(db, filter);
      const range = { offset: (page - 1) * pageSize, limit: pageSize };
      return { total, investments: await pageOfInvestments(db, filter, range) };
    },

    /** All of a person's investments, newest first, a thousand at a time. */
    async *allInvestments({ userId }: { userId: string }) {
      for (let last: InvestmentRow | null = null; ; ) {
        const part: InvestmentRow[] = await investmentsBefore(db, userId, last, streamedAtOnce);
        yield* part;
        last = part.at(-1) ?? null;
        if (part.length < streamedAtOnce) return;
      }
    },

    async nextMaturity({ userId }: { userId: string }) {
      const filter = { userId, search: undefined, status: 'ongoing' } as const;
      const [ongoing, investment] = await Promise.all([
        countInvestments(db, filter),
        nextToMature(db, userId),
      ]);
      return { ongoing, investment };
    },

    async addPlan({ plan, actor }: { plan: PlanDraft; actor: Actor }): Promise<{ planId: string }> {
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const planId = await insertPlan(tx, { ...plan, lineId: randomUUID(), version: 1 }, now);
        await writeAudit(
          tx,
          { actor, action: 'plan.added', subjectId: planId, details: draftToJson(plan) },
          now,
        );
        return { planId };
      });
    },

    /** A plan is not edited: the new version takes its place, and what was invested keeps its own terms. */
    async replacePlan({ planId, plan, actor }: { planId: string; plan: PlanDraft; actor: Actor }) {
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const old = await lockPlan(tx, planId);
        if (!old) throw new AppError('not_found', 'There is no such plan.');
        if (!old.active)
          throw new AppError('already_decided', 'This version is not the current one (any more).');
        await switchPlan(tx, old.id, false);
        const newId = await insertPlan(tx, { ...plan, lineId: old.lineId, version: old.version + 1 }, now);
        const details = { replaces: old.id, ...draftToJson(plan) };
        await writeAudit(tx, { actor, action: 'plan.replaced', subjectId: newId, details }, now);
        return { planId: newId };
      });
    },

    async switchOffPlan({ planId, actor }: { planId: string; actor: Actor }): Promise<void> {
      await inTransaction(db, async (tx) => {
        const plan = await lockPlan(tx, planId);
        if (!plan) throw new AppError('not_found', 'There is no such plan.');
        if (!plan.active) throw new AppError('already_decided', 'This plan is switched off already.');
        await switchPlan(tx, planId, false);
        await writeAudit(tx, { actor, action: 'plan.switched-off', subjectId: planId }, clock.now());
      });
    },
  };
}

export type InvestmentService = ReturnType<typeof createInvestment>;
