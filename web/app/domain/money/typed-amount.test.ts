import { expect, test } from 'vitest';
import { readTyped, TypedAmount } from './typed-amount.ts';

test.each([
  ['250', 25_000n],
  ['250.5', 25_050n],
  [' 2,500.00 ', 250_000n],
  ['$1,000,000', 100_000_000n],
  ['$ 10', 1_000n],
  ['0.01', 1n],
  ['0250', 25_000n],
  ['00250.50', 25_050n],
  ['250.', 25_000n],
  ['1,000.', 100_000n],
  ['.5', 50n],
  ['$.50', 50n],
])('%o is an amount', (typed, cents) => expect(readTyped(typed)).toBe(cents));

test.each(['', '   ', 'ten', '-5', '0', '0.', '.', '00', '12 50', '$', '٣', '1e3', '+5', '0x10', '$$5'])(
  '%o is none, and is answered with how one looks',
  (typed) => {
    expect(readTyped(typed)).toBeNull();
    expect(refusalOf(typed)).toBe('Enter an amount in dollars, like 250 or 250.50.');
  },
);

test.each(['12,50', '1,0000', '1.234', '1.000,50', '1.000.000', '10,00,000', '1,000,50'])(
  '%o may mean two amounts, so it is refused with the way to write it',
  (typed) => {
    expect(readTyped(typed)).toBeNull();
    expect(refusalOf(typed)).toMatch(/^Put a point before the cents/);
  },
);

const refusalOf = (typed: string) => TypedAmount.safeParse(typed).error?.issues[0]?.message;
