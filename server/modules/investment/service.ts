import { pageSize } from '@tallystick/contract/list';
import type { Cents } from '@tallystick/contract/money';
import { refuse } from '../../platform/app-error.ts';
import { type Clock, testTime } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Db, ReadDb } from '../../platform/postgres/db.ts';
import type { BoundsRegister } from '../bounds/service.ts';
import type { AccountRef, Ledger, MoneyCommand } from '../ledger/service.ts';
import type { Users } from '../users/service.ts';
import { createChoices, type WithMaturity } from './choices/choices.ts';
import { createExit } from './exit.ts';
import { lettersAbout } from './letters.ts';
import { openingOf } from './opening.ts';
import { demandOffered, findPlan, type PlanRow, plansForInvesting } from './plan-store.ts';
import { createPlans } from './plans.ts';
import { isUuid, rangeRefusal } from './rules.ts';
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

export { maturityToWire } from './choices/wire.ts';
export type { OfferedPlan } from './plans.ts';
export type { ProposalRow } from './proposal-store.ts';
export { exitToWire, type PlanDraft } from './rules.ts';

interface InvestmentNeeds {
  db: Db;
  clock: Clock;
  ledger: Ledger;
  logger: Logger;
  bounds: BoundsRegister;
  users: Users;
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
    decide({ command: { userId, planId, amountCents }, facts: plans, book, now, borne }) {
      const plan = plans.get(planId);
      if (!plan) return noSuchPlan;
      const outside = rangeRefusal(plan, amountCents);
      if (outside) return refuse('outside_range', outside);
      const { row, opening } = openingOf({ userId, plan, amountCents, at: now, borne });
      if (book.post(opening) === 'short') {
        return refuse('insufficient_funds', 'Your wallet does not hold that much.');
      }
      return { row };
    },
    written: (rows) => [insertInvestments(rows)],
    made: { find: investmentsAsOpened },
  });

  const choices = createChoices(needs);
  const { withMaturity } = choices;

  return {
    ...createSettlement(needs),
    ...createPlans({ db, clock, bounds }),
    ...choices,
    ...createExit({ db, ledger }),

    makeInvestment: (command: Omit<Invest, 'scope'>): Promise<InvestmentRow> =>
      invest({ ...command, scope: command.userId }),

    /** Whether what was just made leaves a choice at its end. Mostly its plan is known here. */
    async isReinvestable({ planId }: InvestmentRow): Promise<boolean> {
      const plan = plansSeen.get(planId) ?? (await findPlan(db, planId));
      return plan?.reinvestable ?? false;
    },

    async pageOfInvestments({ page, on = db, ...filter }: InvestmentFilter & { page: number } & On) {
      const total = await countInvestments(on, filter);
      const range = { offset: (page - 1) * pageSize, limit: pageSize };
      const rows = await pageOfInvestments(on, filter, range);
      return { total, investments: await withMaturity({ rows, on }) };
    },

    /** For whoever watches the server: what should have been paid by now. */
    health: () => overdueInvestments(db, testTime(clock)),

    lettersAbout,

    /** All of a person's investments that a filter lets through, newest first, a thousand at a time. */
    async *allInvestments({ on = db, ...filter }: InvestmentFilter & On) {
      for (let last: InvestmentRow | null = null; ; ) {
        const rows = await investmentsBefore(on, filter, last, streamedAtOnce);
        const part: WithMaturity[] = await withMaturity({ rows, on });
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
      const [next = null] = await withMaturity({ rows: investment ? [investment] : [], on });
      return { ongoing, investment: next };
    },
  };
}

export type Investments = ReturnType<typeof createInvestment>;
