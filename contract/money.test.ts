import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Amount } from './amount.ts';
import {
  accruedOf,
  amountCentsMax,
  divideHalfEven,
  exitAmounts,
  formatUsd,
  parseAmount,
  profitOf,
  roiToWire,
  toDecimal,
  toWire,
} from './money.ts';

describe('an amount on the wire', () => {
  it.each([
    ['5', 500n],
    [5, 500n],
    ['0.05', 5n],
    [0.1, 10n],
    ['1234.5', 123_450n],
    [1_000_000, 100_000_000n],
    ['999999999.99', 99_999_999_999n],
  ])('%o is read exactly', (wire, cents) => {
    expect(parseAmount(wire)).toBe(cents);
  });

  it.each([
    '1e5',
    '0.001',
    0.001,
    0.1 + 0.2,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    -5,
    '-5',
    '+5',
    ' 5',
    '5 ',
    '',
    '.',
    '5.',
    '.5',
    '05',
    '1,000',
    '0x10',
    '١٢',
    '１２',
    '5\n',
    1e21,
    true,
    null,
    undefined,
    [],
    {},
    5n,
  ])('%o is refused', (wire) => {
    expect(parseAmount(wire)).toBeNull();
    expect(Amount.safeParse(wire).success).toBe(false);
  });

  it.each([0, -0, '0', '0.00', 2 ** 53, '9007199254740993', '1000000000.01'])(
    '%o is not an amount anyone may ask for',
    (wire) => {
      expect(Amount.safeParse(wire).success).toBe(false);
    },
  );

  it('comes back as it went out, for every amount', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 99_999_999_999_999n), (cents) => {
        expect(parseAmount(toWire(cents))).toBe(cents);
        expect(parseAmount(toDecimal(cents))).toBe(cents);
      }),
    );
  });
});

describe('rounding', () => {
  it.each([
    [5n, 10n, 0n],
    [15n, 10n, 2n],
    [25n, 10n, 2n],
    [35n, 10n, 4n],
    [24n, 10n, 2n],
    [26n, 10n, 3n],
    [-5n, 10n, 0n],
    [-15n, 10n, -2n],
    [-16n, 10n, -2n],
    [-26n, 10n, -3n],
    [0n, 7n, 0n],
  ])('%i / %i is %i, a tie going to the even cent', (numerator, denominator, result) => {
    expect(divideHalfEven(numerator, denominator)).toBe(result);
  });

  it('is never further off than half', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 18n), 10n ** 18n),
        fc.bigInt(1n, 10n ** 9n),
        (numerator, denominator) => {
          const off = numerator - divideHalfEven(numerator, denominator) * denominator;
          expect((off < 0n ? -off : off) * 2n <= denominator).toBe(true);
        },
      ),
    );
  });

  it('does not divide by nothing', () => {
    for (const denominator of [0n, -2n])
      expect(() => divideHalfEven(1n, denominator)).toThrow(
        new RangeError('the denominator must be positive'),
      );
  });
});

describe('the profit of a plan', () => {
  it.each([
    ['$100 at 0.8 %', 10_000n, 80, 80n],
    ['$1,999 at 0.8 %', 199_900n, 80, 1_599n],
    ['$2,000 at 1.9 %', 200_000n, 190, 3_800n],
    ['$50,000 at 3.2 %', 5_000_000n, 320, 160_000n],
    ['$100.31 at 0.8 % (80.248 cents)', 10_031n, 80, 80n],
    ['$100.63 at 0.8 % (80.504 cents)', 10_063n, 80, 81n],
    ['a tie of 12.5 cents', 2_500n, 50, 12n],
    ['a tie of 13.5 cents', 2_700n, 50, 14n],
  ])('of %s is to the cent', (_case, amount, points, profit) => {
    expect(profitOf(amount, points)).toBe(profit);
  });
});

it.each([
  [0n, '$0.00'],
  [5n, '$0.05'],
  [123_456n, '$1,234.56'],
  [-75_000n, '\u2212$750.00'],
  [100_000_000_000n, '$1,000,000,000.00'],
])('%i cents is shown as %s', (cents, shown) => {
  expect(formatUsd(cents)).toBe(shown);
});

it.each([
  [0n, '0.00'],
  [-5n, '-0.05'],
  [5n, '0.05'],
  [-123_456n, '-1234.56'],
  [123_450n, '1234.50'],
])('%i cents is written as %s', (cents, written) => {
  expect(toDecimal(cents)).toBe(written);
  expect(toWire(cents)).toBe(Number(written));
});

it('is on the wire what its decimal is, also beyond what a float counts one by one', () => {
  const cents = fc.oneof(
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    fc.bigInt(-(2n ** 53n) - 9n, 2n ** 53n + 9n),
  );
  fc.assert(fc.property(cents, (each) => toWire(each) === Number(toDecimal(each))));
});

it('a return in hundredths of a percent is a percentage on the wire', () => {
  expect([80, 320, 1250, 5].map(roiToWire)).toEqual([0.8, 3.2, 12.5, 0.05]);
});

it('the largest amount that can be asked for is a billion dollars', () => {
  expect(Amount.safeParse(toWire(amountCentsMax)).success).toBe(true);
  expect(Amount.safeParse(toWire(amountCentsMax + 1n)).success).toBe(false);
});

it('a profit comes evenly, rounded down, from nothing to all of it', () => {
  const come = (passed: number) => accruedOf(1_000n, passed, 30);
  expect([-1, 0, 1, 7, 29, 30, 31].map(come)).toEqual([0n, 0n, 33n, 233n, 966n, 1_000n, 1_000n]);
});

it('what leaving early pays is the amount and what stays of the profit, less the fee', () => {
  const investment = { amountCents: 200_000n, profitCents: 3_800n, durationDays: 60 };
  const terms = { fromDay: 7, keepsPoints: 5_000, feePoints: 50 };
  expect(exitAmounts(investment, terms, 20)).toEqual({
    accruedCents: 1_266n,
    keptCents: 633n,
    feeCents: 1_000n,
    paidCents: 199_633n,
  });
  expect(exitAmounts(investment, { ...terms, keepsPoints: 0, feePoints: 10_000 }, 20)).toMatchObject({
    keptCents: 0n,
    feeCents: 200_000n,
    paidCents: 0n,
  });
});
