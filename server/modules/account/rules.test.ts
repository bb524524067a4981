import { describe, expect, it } from 'vitest';
import { closingRefusal, isReady, type Left, leavable } from './rules.ts';

const empty: Left = {
  walletCents: 0n,
  investedCents: 0n,
  withdrawingCents: 0n,
  deposits: 0,
  corrections: 0,
  frozen: false,
};
const why = (left: Partial<Left>, leaveCents = 0n) => closingRefusal({ ...empty, ...left }, leaveCents);
const notEmpty = (what: string) => ({
  refused: { code: 'account_not_empty', message: `The account is not empty yet: ${what}.` },
});

describe('an account', () => {
  it('is closed when nothing is in it', () => {
    expect([isReady(empty), why({})]).toEqual([true, null]);
  });

  it.each<[Partial<Left>, string]>([
    [{ walletCents: 1_000n }, '$10.00 is in the wallet'],
    [{ investedCents: 1n }, '$0.01 is invested'],
    [{ withdrawingCents: 1n }, '$0.01 is being withdrawn'],
    [{ deposits: 1 }, 'a deposit under way'],
    [{ deposits: 2 }, '2 deposits under way'],
    [{ corrections: 1 }, 'a correction not decided'],
    [{ corrections: 3 }, '3 corrections not decided'],
    [{ investedCents: 200_000n, deposits: 1 }, '$2,000.00 is invested, a deposit under way'],
  ])('is not, with %o', (left, what) => {
    expect(isReady({ ...empty, ...left })).toBe(false);
    expect(why(left)).toMatchObject(notEmpty(what));
  });

  it('is not while withdrawals are paused, and that is said first', () => {
    const message = 'Withdrawals are paused, so the account cannot be closed now. Please write to support.';
    expect(isReady({ ...empty, frozen: true })).toBe(false);
    expect(why({ frozen: true, deposits: 1 })).toMatchObject({
      refused: { code: 'withdrawals_frozen', message },
    });
  });
});

describe('what is too little to withdraw', () => {
  it('can be left, below the smallest withdrawal', () => {
    expect([0n, 37n, 999n, 1_000n].map((walletCents) => leavable({ walletCents }))).toEqual([
      0n,
      37n,
      999n,
      0n,
    ]);
  });

  it('is left as it was shown, to the cent, or nothing happens', () => {
    expect(why({ walletCents: 37n }, 37n)).toBeNull();
    for (const shown of [0n, 36n, 38n]) {
      expect(why({ walletCents: 37n }, shown)).toMatchObject({
        refused: {
          code: 'terms_changed',
          message: 'The wallet holds $0.37 by now. Nothing has happened: look at it again.',
        },
      });
    }
    expect(why({}, 1n)).toMatchObject({ refused: { code: 'terms_changed' } });
  });
});
