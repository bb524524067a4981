import { coins } from '@tallystick/contract/networks';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { centsToUnits, decimalToUnits, unitsToCents, unitsToDecimal } from './units.ts';

const decimals = Object.fromEntries(coins.map((coin) => [coin.ticker, coin.decimals])) as Record<
  string,
  number
>;
const { BTC = 0, ETH = 0, BNB = 0, XRP = 0 } = decimals;
const anyUnits = fc.bigInt({ min: 0n, max: 10n ** 28n });
const anyDecimals = fc.constantFrom(BTC, ETH, BNB, XRP);

describe('units and decimals', () => {
  it('are the same number', () => {
    expect([BTC, ETH, BNB, XRP]).toEqual([8, 18, 18, 6]);
    expect(unitsToDecimal(150_000n, BTC)).toBe('0.0015');
    expect(unitsToDecimal(100_000_000n, BTC)).toBe('1');
    expect(unitsToDecimal(1n, ETH)).toBe('0.000000000000000001');
    expect(unitsToDecimal(-1_500_000n, XRP)).toBe('-1.5');
    expect(unitsToDecimal(0n, BNB)).toBe('0');
    expect(decimalToUnits('0.0015', BTC)).toBe(150_000n);
    expect(decimalToUnits('007.50', XRP)).toBe(7_500_000n);
  });

  it('give back what they were made of', () => {
    fc.assert(
      fc.property(anyUnits, anyDecimals, (units, places) => {
        expect(decimalToUnits(unitsToDecimal(units, places), places)).toBe(units);
      }),
    );
  });

  it.each(['', '.', '1.', '.5', '-1', '+1', '1e3', '1 ', '1,5', '0.000000001', '١', '9'.repeat(40), '0x1'])(
    'refuse %j',
    (text) => expect(decimalToUnits(text, BTC)).toBeNull(),
  );
});

describe('dollars', () => {
  it('are rounded down to the cent, exactly', () => {
    expect(unitsToCents(100_000_000n, BTC, 43_123.45)).toBe(4_312_345n);
    expect(unitsToCents(99_999_999n, BTC, 43_123.45)).toBe(4_312_344n);
    // In floats 0.29 x 100 is 28.999999999999996.
    expect(unitsToCents(1_000_000n, XRP, 0.29)).toBe(29n);
    expect(unitsToCents(1_000_000n, XRP, '0.29')).toBe(29n);
    expect(unitsToCents(10n ** 18n - 1n, ETH, '3500')).toBe(349_999n);
    expect(unitsToCents(1n, BNB, 600)).toBe(0n);
    expect(unitsToCents(10n ** 12n, XRP, 1e-7)).toBe(10n);
    expect(unitsToCents(1n, 0, 1e21)).toBe(10n ** 23n);
  });

  it('buy no more coins than they pay for, and less than one part too few', () => {
    expect(centsToUnits(4_312_345n, BTC, 43_123.45)).toBe(100_000_000n);
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        fc.integer({ min: 1, max: 10_000_000 }).map((thousandths) => thousandths / 1000),
        anyDecimals,
        (cents, price, places) => {
          const units = centsToUnits(cents, places, price);
          expect(unitsToCents(units, places, price)).toBeLessThanOrEqual(cents);
          expect(unitsToCents(units + 1n, places, price)).toBeGreaterThanOrEqual(
            unitsToCents(units, places, price),
          );
          const thousandths = BigInt(Math.round(price * 1000));
          const worth = (count: bigint) => count * thousandths;
          const paid = cents * 10n * 10n ** BigInt(places);
          expect(worth(units) <= paid && paid < worth(units + 1n)).toBe(true);
        },
      ),
    );
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '', 'a lot', '1,000', '-5'])(
    'are never computed with the price %j',
    (price) => {
      expect(() => unitsToCents(1n, BTC, price)).toThrow('not a price');
      expect(() => centsToUnits(1n, BTC, price)).toThrow('not a price');
    },
  );

  it('are never computed of less than nothing', () => {
    expect(() => unitsToCents(-1n, BTC, 1)).toThrow(RangeError);
    expect(() => centsToUnits(-1n, BTC, 1)).toThrow(RangeError);
  });
});
