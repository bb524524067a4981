import type { ChainLine } from './chain.ts';
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

/** What the entry is called that takes out an investment whose investor has left it before its end. */
const exitLabel = 'Early Exit';
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

/** The entry that brought the money in, when the terms are what they must be. */
function purchaseOf(
  terms: Terms,
  purchases: ReadonlyMap<string, ChainLine>,
): { openedAt: number; entryAt: number } | Wrong {
  const { transactionid, amountCents, points, days, profitCents } = terms;
  const name = `Investment ${transactionid}`;
  const openedAt = momentOf(terms.openedAt);
  if (openedAt === null) return { wrong: `${name} has no time.` };
  if (momentOf(terms.maturesAt) !== openedAt + days * dayMs) {
    return { wrong: `${name} does not mature ${days} days after it was made.` };
  }
  if (profitCents !== profitOf(amountCents, points)) {
    return { wrong: `${name} is to bring ${dollars(profitCents)}, which is not ${points / 100} % of it.` };
  }
  const entry = purchases.get(transactionid);
  const entryAt = entry ? momentOf(entry.at) : null;
  if (!entry || entryAt === null || entry.amountCents !== amountCents) {
    return { wrong: `${name} is not in the account of what is invested.` };
  }
  if (!isDated(entryAt, openedAt)) return { wrong: `${name} is dated otherwise than its entry.` };
  return { openedAt, entryAt };
}

const isDated = (entryAt: number, at: number) => entryAt >= at && entryAt - at <= datedLaterMsMax;

/** When the money was taken out again: never, or by an entry of its amount that no other investment has. */
function returnOf(terms: Terms, openedAt: number, returns: Set<ChainLine>): { entryAt: number } | Wrong {
  const { transactionid, amountCents, days, settledAt } = terms;
  if (settledAt === null) return { entryAt: Number.POSITIVE_INFINITY };
  const settled = momentOf(settledAt);
  if (settled === null) return { wrong: `Investment ${transactionid} has no time.` };
  const isEarly = settled < openedAt + days * dayMs;
  for (const entry of returns) {
    const entryAt = momentOf(entry.at) ?? Number.NaN;
    if (entry.amountCents !== -amountCents || !isDated(entryAt, settled)) continue;
    if (isEarly !== (entry.fundingtype === exitLabel)) continue;
    returns.delete(entry);
    return { entryAt };
  }
  if (isEarly) return { wrong: `Investment ${transactionid} was paid back before its time.` };
  return { wrong: `Investment ${transactionid} was paid back, and no entry says so.` };
}

/** The profit so far of what was running at a moment; every entry of the account of what is invested must be explained. */
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

  const returns = new Set(invested.filter(({ amountCents }) => amountCents < 0n));
  let cents = 0n;
  // In the order in which they were paid back: so each finds its own entry.
  for (const terms of all.toSorted((one, other) =>
    (one.settledAt ?? '') < (other.settledAt ?? '') ? -1 : 1,
  )) {
    const bought = purchaseOf(terms, byId);
    if (isWrong(bought)) return bought;
    const back = returnOf(terms, bought.openedAt, returns);
    if (isWrong(back)) return back;
    if (bought.entryAt <= moment && back.entryAt > moment) cents += accruedAt(terms, bought.openedAt, moment);
  }
  const [unexplained] = returns;
  if (unexplained) {
    return { wrong: `Entry ${unexplained.seq} of what is invested takes out what no investment paid back.` };
  }
  return { cents };
}
