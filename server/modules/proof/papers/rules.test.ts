import { expect, it } from 'vitest';
import {
  daysRefusal,
  linesOf,
  newestDay,
  type PaperInvestment,
  paperOf,
  periodOf,
  together,
  untouched,
} from './rules.ts';

const at = (text: string) => new Date(text);

it('is about whole days in UTC, both included', () => {
  const { start, end } = periodOf({ from: '2026-02-01', to: '2026-02-28' });
  expect([start.toISOString(), end.toISOString()]).toEqual([
    '2026-02-01T00:00:00.000Z',
    '2026-03-01T00:00:00.000Z',
  ]);
});

it('takes a day for over a minute after midnight', () => {
  expect(newestDay(at('2026-03-01T00:00:59.999Z'))).toBe('2026-02-27');
  expect(newestDay(at('2026-03-01T00:01:00.000Z'))).toBe('2026-02-28');
});

it('says why there is no paper about some days', () => {
  const now = at('2026-03-01T12:00:00Z');
  const refusal = (from: string, to: string) => daysRefusal({ from, to }, now);
  expect(refusal('2026-02-01', '2026-02-28')).toBeNull();
  expect(refusal('2026-02-28', '2026-02-28')).toBeNull();
  expect(refusal('2026-02-01', '2026-03-01')).toBe(
    '2026-03-01 is not over yet. A statement can end with 2026-02-28, in UTC.',
  );
  expect(refusal('2026-02-28', '2026-02-01')).toBe('The first day lies after the last one.');
  expect(refusal('1999-12-31', '2026-02-01')).toBe('Choose days from 2000-01-01 on.');
});

const investment: PaperInvestment = {
  transactionid: 'TS-H3VB-62ND',
  planname: 'Starter',
  amountCents: 15_031n,
  roiPoints: 80,
  durationDays: 30,
  profitCents: 120n,
  openedAt: at('2026-02-02T00:00:00Z'),
  maturesAt: at('2026-03-04T00:00:00Z'),
  settledAt: null,
  leftProfitCents: null,
  leftFeeCents: null,
};
const holding = (cents: bigint) => ({
  ...untouched,
  closing: { seq: 1n, hash: 'ab'.repeat(32), balanceCents: cents },
});
const facts = {
  origin: 'books.example/log',
  brand: 'Tallystick',
  sample: false,
  holder: { fullname: 'Ada', email: 'ada@example.com' },
  period: periodOf({ from: '2026-02-01', to: '2026-02-28' }),
  chains: { wallet: holding(70_031n), invested: holding(15_031n), withdrawing: untouched },
  investments: [investment],
  withdrawals: [],
};

it('adds profit so far to what is owed, evenly over the term and rounded down', () => {
  const paper = paperOf(facts);
  // 27 of 30 days but for the last millisecond: 107.99… of 120 cents.
  expect(paper.owed).toEqual({ wallet: 70_031n, invested: 15_031n, profit: 107n, withdrawing: 0n });
  expect(together(paper.owed)).toBe(85_169n);
  expect(linesOf(paper)).toBe(3);
});

it('owes the whole profit once the term is over, and nothing of it once it was paid', () => {
  const owedFor = (change: Partial<PaperInvestment>, cents: bigint) =>
    paperOf({
      ...facts,
      chains: { ...facts.chains, invested: holding(cents) },
      investments: [{ ...investment, ...change }],
    }).owed.profit;
  expect(owedFor({ openedAt: at('2026-01-01T00:00:00Z') }, 15_031n)).toBe(120n);
  expect(owedFor({ settledAt: at('2026-02-20T00:00:00Z') }, 0n)).toBe(0n);
});

it('is not made when the accounts and what they are about contradict each other', () => {
  expect(() => paperOf({ ...facts, investments: [] })).toThrow('investments');
  const chains = { ...facts.chains, withdrawing: holding(1_000n) };
  expect(() => paperOf({ ...facts, chains })).toThrow('withdrawals');
});
