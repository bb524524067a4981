import { expect, test } from 'vitest';
import { readTyped } from './typed-amount.ts';

test.each([
  ['250', 25_000n],
  ['250.5', 25_050n],
  [' 2,500.00 ', 250_000n],
  ['$1,000,000', 100_000_000n],
  ['$ 10', 1_000n],
  ['0.01', 1n],
])('%o is an amount', (typed, cents) => expect(readTyped(typed)).toBe(cents));

test.each(['', '   ', 'ten', '-5', '0', '12,50', '1,0000', '1.234', '1e3', '12 50', '$', '٣'])(
  '%o is none',
  (typed) => expect(readTyped(typed)).toBeNull(),
);
