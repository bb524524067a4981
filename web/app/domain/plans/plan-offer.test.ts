import { expect, test } from 'vitest';
import { dollarsText, exampleAmount, maturityOf, notchesAreTrue, notchesOf, paidBack } from './plan-offer.ts';

test.each([
  [{ from: 100, to: 1999 }, 1000],
  [{ from: 2000, to: 9999 }, 5000],
  [{ from: 10_000, to: 50_000 }, 10_000],
  [{ from: 700, to: 900 }, 700],
])('the example for %o is %i, a round amount inside the range', (plan, amount) => {
  expect(exampleAmount(plan)).toBe(amount);
});

test('what comes back is the amount and its profit, to the cent', () => {
  expect(paidBack(1000, 0.8)).toBe(100_800n);
  expect(paidBack(10_000, 3.2)).toBe(1_032_000n);
  expect(paidBack(100.001, 0.8)).toBeNull();
});

test('a plan matures after whole days of 24 hours', () => {
  expect(maturityOf(new Date('2026-11-15T09:41:00Z'), 60)).toBe('2027-01-14T09:41:00.000Z');
});

test('one notch is ten days, nine at most, and the explanation holds only where that is exact', () => {
  expect([30, 60, 90, 365, 4].map(notchesOf)).toEqual([3, 6, 9, 9, 1]);
  expect([30, 60, 90, 365, 45].map(notchesAreTrue)).toEqual([true, true, true, false, false]);
});

test('dollars show cents only where there are some', () => {
  expect(dollarsText(1999)).toBe('$1,999');
  expect(dollarsText(99.5)).toBe('$99.50');
  expect(dollarsText(1_234_567.25)).toBe('$1,234,567.25');
});
