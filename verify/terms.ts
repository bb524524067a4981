import { balanceAt, type ChainLine } from './chain.ts';
import { dollars, isWrong, momentOf, type Wrong } from './plain.ts';

/** What was agreed when money was invested, which nobody may change afterwards. */
export interface Terms {
  transactionid: string;
  plan: string;
  amountCents: bigint;
  /** Hundredths of a percent for the whole term. */
  points: number;
  days: number;
  profitCents: bigint;
  openedAt: string;
  maturesAt: string;
  settledAt: string | null;
}

const dayMs = 24 * 60 * 60 * 1000;
/** An entry may be dated a little later than what it tells: those of an account stay in the order of time. */
const datedLaterMsMax = 60_000;

/** Amount times percentage, to the nearest cent, a tie to the even one. */
function profitOf(amountCents: bigint, points: number): bigint {
  const [product, whole] = [amountCents * BigInt(points), 10_000n];
  const [floor, twiceRest] = [product / whole, (product % whole) * 2n];
  if (twiceRest === whole) return floor % 2n === 0n ? floor : floor + 1n;
  return twiceRest > whole ? floor + 1n : floor;
}

/** Profit grows evenly and is rounded down; after the term it is whole. */
function accruedAt({ profitCents, days }: Terms, openedAt: number, moment: number): bigint {
  const term = days * dayMs;
  return (profitCents * BigInt(Math.min(moment - openedAt, term))) / BigInt(term);
}

function checkOne(
  terms: Terms,
  invested: ReadonlyMap<string, ChainLine>,
): { openedAt: number; settledAt: number } | Wrong {
  const { transactionid, amountCents, points, days, profitCents, settledAt } = terms;
  const name = `Investment ${transactionid}`;
  const opened = momentOf(terms.openedAt);
  const settled = settledAt === null ? Number.POSITIVE_INFINITY : momentOf(settledAt);
  if (opened === null || settled === null) return { wrong: `${name} has no time.` };
  if (momentOf(terms.maturesAt) !== opened + days * dayMs) {
    return { wrong: `${name} does not mature ${days} days after it was made.` };
  }
  if (profitCents !== profitOf(amountCents, points)) {
    return { wrong: `${name} is to bring ${dollars(profitCents)}, which is not ${points / 100} % of it.` };
  }
  if (settled < opened + days * dayMs) return { wrong: `${name} was paid back before its time.` };
  const entry = invested.get(transactionid);
  const dated = entry ? momentOf(entry.at) : null;
  if (!entry || dated === null || entry.amountCents !== amountCents) {
    return { wrong: `${name} is not in the account of what is invested.` };
  }
  if (dated < opened || dated - opened > datedLaterMsMax) {
    return { wrong: `${name} is dated otherwise than its entry.` };
  }
  return { openedAt: opened, settledAt: settled };
}

/** The profit so far of what was running at a moment; every cent of the account of what is invested must be explained. */
export function accruedProfit(
  all: readonly Terms[],
  invested: readonly ChainLine[],
  moment: number,
): { cents: bigint } | Wrong {
  const purchases = invested.filter(({ amountCents }) => amountCents > 0n);
  const byId = new Map(purchases.map((line) => [line.transactionid, line]));
  if (byId.size !== purchases.length) return { wrong: 'Two investments bear the same transaction id.' };
  const named = new Set(all.map(({ transactionid }) => transactionid));
  if (named.size !== all.length) return { wrong: 'An investment is told twice.' };
  const untold = purchases.find(({ transactionid }) => !named.has(transactionid));
  if (untold) return { wrong: `The terms of investment ${untold.transactionid} are not told.` };

  let [cents, running] = [0n, 0n];
  for (const terms of all) {
    const dates = checkOne(terms, byId);
    if (isWrong(dates)) return dates;
    if (dates.openedAt > moment || dates.settledAt <= moment) continue;
    cents += accruedAt(terms, dates.openedAt, moment);
    running += terms.amountCents;
  }
  const balance = balanceAt(invested, moment);
  if (isWrong(balance)) return balance;
  if (balance.cents !== running) {
    return {
      wrong: `${dollars(balance.cents)} was invested by the account's entries, ${dollars(running)} by the investments.`,
    };
  }
  return { cents };
}
