import { describe, expect, it } from 'vitest';
import { amountRefusal, coinAmountOf, isDust, methodPaid } from './rules.ts';

describe('a wallet', () => {
  it.each([1_000n, 1_001n, 99_999_999n, 100_000_000n])('can be funded with %d cents', (cents) => {
    expect(amountRefusal(cents)).toBeNull();
  });
  it.each([0n, 999n, 100_000_001n])(
    'cannot be funded with %d cents, and the words say with what',
    (cents) => {
      expect(amountRefusal(cents)).toBe('Fund with $10.00 to $1,000,000.00.');
    },
  );
});

describe('what an amount is worth in a coin', () => {
  it('is told to six decimals', () => {
    expect(coinAmountOf(123_456n, 50_000)).toBe('0.024691');
    expect(coinAmountOf(100n, 3)).toBe('0.333333');
    expect(coinAmountOf(100n, 0.5)).toBe('2.000000');
  });
  it.each([null, undefined, 0, -1, Number.NaN])('is not told at a price of %o', (price) => {
    expect(coinAmountOf(100n, price)).toBeNull();
  });
});

describe('a payment is too small to be credited', () => {
  it.each([
    [0n, 0n, true],
    [1n, 0n, false],
    [499n, 500n, true],
    [500n, 500n, false],
  ])('with %d cents where dust is below %d: %o', (cents, dustCents, dust) => {
    expect(isDust(cents, { dustCents })).toBe(dust);
  });
});

describe('the way in that was paid', () => {
  const byKey = { keyId: 'k1', paymentaddress: '' };
  const byOtherKey = { keyId: 'k2', paymentaddress: '' };
  const shared = { keyId: null, paymentaddress: 'address' };
  const all = [byKey, byOtherKey, shared];

  it('is the one whose key made the address', () => {
    expect(methodPaid(all, { keyId: 'k2', address: 'address' })).toBe(byOtherKey);
  });
  it('is the one that shows the address to all', () => {
    expect(methodPaid(all, { keyId: null, address: 'address' })).toBe(shared);
  });
  it('is any of its network when neither is in use any more', () => {
    expect(methodPaid(all, { keyId: 'gone', address: 'address' })).toBe(byKey);
    expect(methodPaid(all, { keyId: null, address: 'gone' })).toBe(byKey);
  });
  it('is none where the network has none', () => {
    expect(methodPaid([], { keyId: 'k1', address: '' })).toBeUndefined();
  });
});
