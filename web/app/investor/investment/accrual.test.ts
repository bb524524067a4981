import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accruedCents } from './accrual.ts';

const openedAt = Date.parse('2026-10-22T09:15:00Z');
const dayMs = 86_400_000;

function term(duration: number, profit: number, status = 0) {
  return {
    openedat: new Date(openedAt).toISOString(),
    maturesat: new Date(openedAt + duration * dayMs).toISOString(),
    profit,
    status,
  };
}
const after = (days: number) => new Date(openedAt + days * dayMs);

test('profit comes evenly and is floored to the cent', () => {
  expect(accruedCents(term(30, 12), after(0))).toBe(0n);
  expect(accruedCents(term(30, 12), after(15))).toBe(600n);
  expect(accruedCents(term(30, 0.1), after(29.9))).toBe(9n);
});

test('nothing accrues before the beginning or beyond the whole profit', () => {
  const profits = fc.integer({ min: 0, max: 100_000_000 }).map((cents) => cents / 100);
  fc.assert(
    fc.property(profits, fc.double({ min: -100, max: 500, noNaN: true }), (profit, days) => {
      const accrued = accruedCents(term(60, profit), after(days));
      expect(accrued >= 0n).toBe(true);
      expect(accrued <= accruedCents(term(60, profit, 1), after(days))).toBe(true);
    }),
  );
});

test('a completed investment has its whole profit whatever the clock says', () => {
  expect(accruedCents(term(30, 12, 1), after(-5))).toBe(1200n);
});
