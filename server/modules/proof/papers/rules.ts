import type { investorAccounts } from '@tallystick/contract/ledger';
import { accruedOf, type Cents } from '@tallystick/contract/money';
import { dayMs, hourMs, minuteMs } from '../../../platform/clock.ts';

/** What an investor's account statement, a paper, says. The same days give the same figures for good. */

export type AccountKind = (typeof investorAccounts)[number];

/** Whole days in UTC, both included. */
export interface Days {
  from: string;
  to: string;
}

export interface Period extends Days {
  start: Date;
  /** The first instant that no longer belongs to it. */
  end: Date;
}

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);

export function periodOf({ from, to }: Days): Period {
  return { from, to, start: new Date(from), end: new Date(Date.parse(to) + dayMs) };
}

/**
 * The newest day that is over. Money may be dated up to ten seconds back, so a day is over a minute after midnight: what
 * begins to move from then on is not dated in it any more.
 */
export const newestDay = (now: Date): string => dayOf(now.getTime() - minuteMs - dayMs);

/** Whether a transaction that has dated its money in these days may still be under way: none takes an hour. */
export const mayBeWritten = ({ end }: Period, now: Date): boolean => now.getTime() - end.getTime() < hourMs;

/** No account is older; days of other centuries are typing mistakes. */
export const firstDay = '2000-01-01';

/** Why there is no paper about these days; null when there is one. */
export function daysRefusal({ from, to }: Days, now: Date): string | null {
  const newest = newestDay(now);
  if (from > to) return 'The first day lies after the last one.';
  if (from < firstDay) return `Choose days from ${firstDay} on.`;
  if (to > newest) return `${to} is not over yet. A statement can end with ${newest}, in UTC.`;
  return null;
}

/** Where a chain stood: after which entry, with which hash and balance. */
export interface Head {
  seq: bigint;
  hash: string;
  balanceCents: Cents;
}

export interface Chain {
  /** Null as long as nothing was posted to it. */
  accountId: string | null;
  opening: Head;
  closing: Head;
  inCents: Cents;
  outCents: Cents;
}

const genesis: Head = { seq: 0n, hash: '0'.repeat(64), balanceCents: 0n };
export const untouched: Chain = {
  accountId: null,
  opening: genesis,
  closing: genesis,
  inCents: 0n,
  outCents: 0n,
};

export interface PaperEntry {
  seq: bigint;
  at: Date;
  transactionid: string;
  label: string;
  /** Of a correction, or of money that was given back. */
  reason: string | null;
  amountCents: Cents;
  balanceAfterCents: Cents;
  hash: Buffer;
}

/** What was agreed at the purchase, and where it stood at the end. */
export interface PaperInvestment {
  transactionid: string;
  planname: string;
  amountCents: Cents;
  roiPoints: number;
  durationDays: number;
  profitCents: Cents;
  openedAt: Date;
  maturesAt: Date;
  /** Null when it was still running at the end of the period, whatever happened later. */
  settledAt: Date | null;
  /** Of one that was left early by then: what stayed of the profit, and the fee. */
  leftProfitCents: Cents | null;
  leftFeeCents: Cents | null;
}

export interface PaperWithdrawal {
  transactionid: string;
  requestedAt: Date;
  methodname: string;
  address: string;
  amountCents: Cents;
}

export interface Owed {
  wallet: Cents;
  invested: Cents;
  profit: Cents;
  withdrawing: Cents;
}

export interface Paper extends Days {
  origin: string;
  brand: string;
  /** Of a demo, where no real money moves. */
  sample: boolean;
  holder: { fullname: string; email: string };
  /** The last moment of the period: what stands on the paper is how things stood then. */
  asOf: Date;
  chains: Record<AccountKind, Chain>;
  investments: (PaperInvestment & { accruedCents: Cents })[];
  withdrawals: PaperWithdrawal[];
  owed: Owed;
}

export const together = ({ wallet, invested, profit, withdrawing }: Owed): Cents =>
  wallet + invested + profit + withdrawing;

/** Profit grows evenly over the term and is rounded down; nothing of it is left once it was paid. */
function accruedAt(investment: PaperInvestment, asOf: Date): Cents {
  const { profitCents, durationDays, openedAt, settledAt } = investment;
  if (settledAt) return 0n;
  return accruedOf(profitCents, asOf.getTime() - openedAt.getTime(), durationDays * dayMs);
}

interface Facts extends Pick<Paper, 'origin' | 'brand' | 'sample' | 'holder' | 'chains' | 'withdrawals'> {
  period: Period;
  investments: PaperInvestment[];
}

const sumOf = (rows: { amountCents: Cents }[]) =>
  rows.reduce((sum, { amountCents }) => sum + amountCents, 0n);

/** Puts it together, and refuses to let a paper be signed that contradicts itself. */
export function paperOf({ period, investments: found, ...facts }: Facts): Paper {
  const { chains, withdrawals } = facts;
  const asOf = new Date(period.end.getTime() - 1);
  const investments = found.map((each) => ({ ...each, accruedCents: accruedAt(each, asOf) }));
  const running = investments.filter(({ settledAt }) => settledAt === null);
  const owed = {
    wallet: chains.wallet.closing.balanceCents,
    invested: chains.invested.closing.balanceCents,
    profit: running.reduce((sum, { accruedCents }) => sum + accruedCents, 0n),
    withdrawing: chains.withdrawing.closing.balanceCents,
  };
  if (sumOf(running) !== owed.invested) throw new Error('investments and their account do not agree');
  if (sumOf(withdrawals) !== owed.withdrawing) throw new Error('withdrawals and their account do not agree');
  return { ...facts, from: period.from, to: period.to, asOf, investments, owed };
}

/** How many lines the tables of a paper have. */
export const linesOf = ({ chains, investments, withdrawals }: Paper): number =>
  Object.values(chains).reduce((sum, { opening, closing }) => sum + Number(closing.seq - opening.seq), 0) +
  investments.length +
  withdrawals.length;
