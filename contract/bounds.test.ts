import { describe, expect, it } from 'vitest';
import { type DaySum, whyPlanNeedsTwo, whyTwo } from './bounds.ts';

describe('one operator is enough', () => {
  const why = (amountCents: bigint, sums: DaySum[] = [], askedCents?: bigint) =>
    whyTwo({ amountCents, sums, thresholdCents: 100_000n, ...(askedCents !== undefined && { askedCents }) });

  it('for an amount up to the threshold, and not for a cent more', () => {
    expect(why(100_000n)).toBeNull();
    expect(why(100_001n)).toBe('Above $1,000.00');
  });
  it('for a deposit up to what was asked for, and not for a cent more', () => {
    expect(why(5_000n, [], 5_000n)).toBeNull();
    expect(why(5_001n, [], 5_000n)).toBe('More than the $50.00 that was asked for');
    expect(why(1n, [], 0n)).toBe('More than the $0.00 that was asked for');
  });
  it('while no sum of the day passes the threshold', () => {
    const sums = (...cents: [bigint, bigint, bigint]): DaySum[] => [
      { of: 'investor', cents: cents[0] },
      { of: 'destination', cents: cents[1] },
      { of: 'operator', cents: cents[2] },
    ];
    expect(why(1n, sums(99_999n, 99_999n, 99_999n))).toBeNull();
    expect(why(1n, sums(100_000n, 0n, 0n))).toBe('$1,000.01 for this investor within a day, above $1,000.00');
    expect(why(2n, sums(0n, 99_999n, 0n))).toBe('$1,000.01 to this address within a day, above $1,000.00');
    expect(why(1n, sums(0n, 0n, 200_000n))).toBe(
      '$2,000.01 by one operator alone within a day, above $1,000.00',
    );
  });
});

describe('one operator can offer a plan', () => {
  const bounds = {
    thresholdCents: 0n,
    chainThresholdCents: 0n,
    planPointsPerDayMax: 10,
    planDaysMin: 7,
    planDaysMax: 365,
    planCentsMax: 1_000_000n,
  };
  const why = (plan: { toCents?: bigint; durationDays?: number; roiPoints?: number }) =>
    whyPlanNeedsTwo({ toCents: 1_000_000n, durationDays: 30, roiPoints: 300, ...plan }, bounds);

  it('within all bounds, exactly on them too', () => {
    expect(why({})).toEqual([]);
    expect(why({ durationDays: 7, roiPoints: 70 })).toEqual([]);
    expect(why({ durationDays: 365 })).toEqual([]);
  });
  it('and is told of each that it passes', () => {
    expect(why({ roiPoints: 301 })).toEqual(['3.01% in 30 days is more than 0.1% a day']);
    expect(why({ durationDays: 6, roiPoints: 60 })).toEqual(['6 days is shorter than 7']);
    expect(why({ durationDays: 366 })).toEqual(['366 days is longer than 365']);
    expect(why({ toCents: 1_000_001n })).toEqual(['$10,000.01 is above $10,000.00']);
    expect(why({ durationDays: 1, roiPoints: 11, toCents: 1_000_001n })).toEqual([
      '0.11% in 1 day is more than 0.1% a day',
      '1 day is shorter than 7',
      '$10,000.01 is above $10,000.00',
    ]);
  });
});
