import type { Logger } from '../../platform/logger.ts';
import { type AccountRef, type Ledger, type Movement, movement } from '../ledger/service.ts';
import { type Choice, decideMaturity } from './choices/rules.ts';
import { type ChoiceEnd, choicesFor, endChoices } from './choices/store.ts';
import { openingOf } from './opening.ts';
import { type PlanRow, plansForInvesting } from './plan-store.ts';
import { type DueInvestment, markSettled, settlementParts, takeDue } from './settlement-store.ts';
import { type InvestmentRow, insertInvestments } from './store.ts';

interface SettlementNeeds {
  ledger: Ledger;
  logger: Logger;
}

const batchSize = 500;
/** All batches meet at the account that profits are paid from. Once this server knows it, they can be written side by side. */
const firstSize = 50;
const returns: AccountRef = { kind: 'returns', ownerId: null };

/** Principal and profit go to the wallet as two entries of one movement. */
function payback(investment: DueInvestment, at: Date) {
  const { userId, amountCents, profitCents } = investment;
  const wallet = { kind: 'wallet', ownerId: userId } as const;
  const invested = { kind: 'invested', ownerId: userId } as const;
  const principal = [
    { account: invested, amountCents: -amountCents, label: 'Investment Return' },
    { account: wallet, amountCents, label: 'Investment Return' },
  ];
  const profit = [
    { account: returns, amountCents: -profitCents, label: 'Profit' },
    { account: wallet, amountCents: profitCents, label: 'Profit' },
  ];
  return movement({
    kind: 'maturity',
    at,
    reference: investment.transactionid,
    postings: profitCents > 0n ? [...principal, ...profit] : principal,
  });
}

/** What is due at a moment, what its owners chose, and the plans among those they were told of that are still offered. */
interface DueFacts {
  at: Date;
  due: DueInvestment[];
  choices: ReadonlyMap<string, Choice>;
  offered: ReadonlyMap<string, PlanRow>;
}

interface Settled {
  closed: { id: string; transactionid: string }[];
  opened: InvestmentRow[];
  ends: ChoiceEnd[];
  /** Those that their owner's account does not cover. */
  short: DueInvestment[];
}

/** Pays all that is due, and opens again what was chosen and told. Pure but for the book it posts to. */
export function settleInto(
  book: { post(movement: Movement): 'posted' | 'short' },
  { at, due, choices, offered }: DueFacts,
): Settled {
  const settled: Settled = { closed: [], opened: [], ends: [], short: [] };
  for (const investment of due) {
    const { id, userId } = investment;
    const paid = payback(investment, at);
    if (book.post(paid) === 'short') {
      settled.short.push(investment);
      continue;
    }
    settled.closed.push({ id, transactionid: paid.transactionid });
    const choice = choices.get(id);
    if (!choice) continue;
    const decided = decideMaturity(choice, investment, offered);
    if ('because' in decided) {
      settled.ends.push({ investmentId: id, reinvestedId: null, because: decided.because });
      continue;
    }
    const { row, opening } = openingOf({ userId, ...decided, at });
    // The wallet has just received at least as much.
    if (book.post(opening) === 'short') throw new Error('what was paid back is not in the wallet');
    settled.opened.push(row);
    settled.ends.push({ investmentId: id, reinvestedId: row.id, because: null });
  }
  return settled;
}

/** The versions of plans that were told of. */
function plansTold(choices: Iterable<Choice>): string[] {
  const ids = [...choices].flatMap(({ told }) => (told && 'planId' in told.terms ? [told.terms.planId] : []));
  return [...new Set(ids)];
}

/** Pays what has matured, in the same transaction that closes it: late, twice or on two machines, it pays once. */
export function createSettlement({ ledger, logger }: SettlementNeeds) {
  /** How many were due, as many as are taken at once, and how many of them were paid. */
  async function settleBatch(size: number, part: number | null): Promise<{ taken: number; settled: number }> {
    const { due, closed, short } = await ledger.postSideBySide({
      async find(tx, { now, givenTime }) {
        // The time is read behind what is due by it.
        const [due, at] = await Promise.all([takeDue(tx, { givenTime, part, limit: size }), now()]);
        const ids = due.map(({ id }) => id);
        const choices = ids.length > 0 ? await choicesFor(tx, ids) : new Map<string, Choice>();
        const told = plansTold(choices.values());
        // Plans before accounts, as whoever invests locks them: none is replaced until what is opened on it is written.
        const plans = told.length > 0 ? await plansForInvesting(tx, told) : [];
        const offered = new Map(plans.map((plan) => [plan.id, plan]));
        const owned = due.flatMap<AccountRef>(({ userId }) => [
          { kind: 'wallet', ownerId: userId },
          { kind: 'invested', ownerId: userId },
        ]);
        return { facts: { at, due, choices, offered }, owned, house: [returns] };
      },
      post: (facts, book) => ({ at: facts.at, due: facts.due, ...settleInto(book, facts) }),
      written: ({ at, closed, opened, ends }) => [
        markSettled(closed, at),
        ...(opened.length > 0 ? [insertInvestments(opened)] : []),
        ...(ends.length > 0 ? [endChoices(ends)] : []),
      ],
    });
    // Someone has tampered with it; the others are paid all the same.
    for (const { id } of short)
      logger.error({ alert: true, investment: id }, 'a due investment is not covered');
    return { taken: due.length, settled: closed.length };
  }

  async function settleAll(part: number): Promise<number> {
    let all = 0;
    for (;;) {
      const { taken, settled } = await settleBatch(batchSize, part);
      all += settled;
      // Those that are not covered stay due: they alone are no reason to go on.
      if (taken < batchSize || settled === 0) return all;
    }
  }

  return {
    /** Side by side, each for a part of the investors, so that none waits for an account that another holds. */
    async settleDue(): Promise<{ settled: number }> {
      const { taken, settled } = await settleBatch(firstSize, null);
      if (taken < firstSize) return { settled };
      const parts = Array.from({ length: settlementParts }, (_, part) => settleAll(part));
      // Not over before all of them are, also when one has failed.
      await Promise.allSettled(parts);
      return { settled: (await Promise.all(parts)).reduce((sum, each) => sum + each, settled) };
    },
  };
}
