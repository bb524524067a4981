import { randomUUIDv7 } from 'node:crypto';
import { pageSize } from '@tallystick/contract/list';
import type { Cents } from '@tallystick/contract/money';
import { refuse } from '../../platform/app-error.ts';
import { type Clock, testTime } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Db, ReadDb } from '../../platform/postgres/db.ts';
import type { BoundsRegister } from '../bounds/service.ts';
import {
  type AccountRef,
  type Ledger,
  type MoneyCommand,
  movement,
  newTransactionId,
} from '../ledger/service.ts';
import { createExit } from './exit.ts';
import { lettersAbout } from './letters.ts';
import { demandOffered, type PlanRow, plansForInvesting } from './plan-store.ts';
import { createPlans } from './plans.ts';
import { rangeRefusal, termsOf } from './rules.ts';
import { createSettlement } from './settlement.ts';
import { overdueInvestments } from './settlement-store.ts';
import {
  countInvestments,
  type InvestmentFilter,
  type InvestmentRow,
  insertInvestments,
  investmentsAsOpened,
  investmentsBefore,
  nextToMature,
  pageOfInvestments,
  sumsOf,
} from './store.ts';

export type { OfferedPlan } from './plans.ts';
export type { ProposalRow } from './proposal-store.ts';
export { exitToWire, type PlanDraft } from './rules.ts';

interface InvestmentNeeds {
  db: Db;
  clock: Clock;
  ledger: Ledger;
  logger: Logger;
  bounds: BoundsRegister;
}

interface Invest extends MoneyCommand {
  userId: string;
  planId: string;
  amountCents: Cents;
}

/** Where it is read; where nothing is said, where it was written. */
interface On {
  on?: ReadDb;
}

const streamedAtOnce = 1000;
const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
const accountsOf = (userId: string): AccountRef[] => [
  { kind: 'wallet', ownerId: userId },
  { kind: 'invested', ownerId: userId },
];
const noSuchPlan = refuse('not_found', 'This plan is not offered (any more). Choose another.');

/** Plans, investing in them, and paying what is due. */
export function createInvestment(needs: InvestmentNeeds) {
  const { db, clock, ledger, bounds } = needs;

  /** What a plan says never changes: only whether it is still offered has to be asked. */
  const plansSeen = new Map<string, PlanRow>();

  const invest = ledger.verb<Invest, Map<string, PlanRow>, InvestmentRow>({
    bodyOf: ({ planId, amountCents }) => ['invest', planId, String(amountCents)],
    async read(tx, commands, { openBook }) {
      const ids = [...new Set(commands.map(({ planId }) => planId).filter(isUuid))];
      const [plans, book] = await Promise.all([
        plansForInvesting(tx, ids),
        openBook(commands.flatMap(({ userId }) => accountsOf(userId))),
      ]);
      for (const plan of plans) plansSeen.set(plan.id, plan);
      return { facts: new Map(plans.map((plan) => [plan.id, plan])), book };
    },
    byHeart: {
      accountsOf: ({ userId }) => accountsOf(userId),
      factsFor(commands) {
        const facts = new Map<string, PlanRow>();
        for (const { planId } of commands) {
          const plan = plansSeen.get(planId);
          if (!plan) return null;
          facts.set(planId, plan);
        }
        return facts;
      },
      demand: (plans) => [demandOffered([...plans.keys()])],
    },
    decide({ command: { userId, planId, amountCents }, facts: plans, book, now }) {
      const plan = plans.get(planId);
      if (!plan) return noSuchPlan;
      const outside = rangeRefusal(plan, amountCents);
      if (outside) return refuse('outside_range', outside);
      const row: InvestmentRow = {
        id: randomUUIDv7(),
        userId,
        planId: plan.id,
        transactionid: newTransactionId(),
        ...termsOf(plan, amountCents, now),
        settledAt: null,
        settledBy: null,
        exitFromDay: plan.exitFromDay,
        left: null,
      };
      const label = 'Investment';
      const posted = book.post(
        movement({
          kind: 'investment',
          transactionid: row.transactionid,
          at: now,
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
    written: (rows) => [insertInvestments(rows)],
    made: { idOf: ({ id }) => id, find: investmentsAsOpened },
  });

  return {
    ...createSettlement(needs),
    ...createPlans({ db, clock, bounds }),
    ...createExit({ db, clock, ledger }),

    makeInvestment: (command: Omit<Invest, 'scope'>): Promise<InvestmentRow> =>
      invest({ ...command, scope: command.userId }),

    async pageOfInvestments({ page, on = db, ...filter }: InvestmentFilter & { page: number } & On) {
      const total = await countInvestments(on, filter);
      const range = { offset: (page - 1) * pageSize, limit: pageSize };
      return { total, investments: await pageOfInvestments(on, filter, range) };
    },

    /** For whoever watches the server: what should have been paid by now. */
    health: () => overdueInvestments(db, testTime(clock)),

    lettersAbout,

    /** All of a person's investments that a filter lets through, newest first, a thousand at a time. */
    async *allInvestments({ on = db, ...filter }: InvestmentFilter & On) {
      for (let last: InvestmentRow | null = null; ; ) {
        const part: InvestmentRow[] = await investmentsBefore(on, filter, last, streamedAtOnce);
        yield* part;
        last = part.at(-1) ?? null;
        if (part.length < streamedAtOnce) return;
      }
    },

    sums: ({ userId, on = db }: { userId: string } & On) => sumsOf(on, userId),

    async nextMaturity({ userId, on = db }: { userId: string } & On) {
      const filter = { userId, search: undefined, status: 'ongoing' } as const;
      const [ongoing, investment] = await Promise.all([
        countInvestments(on, filter),
        nextToMature(on, userId),
      ]);
      return { ongoing, investment };
    },
  };
}

export type Investments = ReturnType<typeof createInvestment>;
