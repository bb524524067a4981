import { describe, expect, it } from 'vitest';
import { rangeRefusal, termsOf } from './rules.ts';

const plan = {
  planname: 'Starter',
  fromCents: 10_000n,
  toCents: 500_000n,
  durationDays: 30,
  roiPoints: 1250,
  reinvestable: false,
  exitFromDay: null,
  exitKeepsPoints: null,
  exitFeePoints: null,
};

describe('an amount', () => {
  it.each([10_000n, 10_001n, 499_999n, 500_000n])('of %d cents can be invested', (cents) => {
    expect(rangeRefusal(plan, cents)).toBeNull();
  });
  it.each([0n, 9_999n, 500_001n])('of %d cents is refused with the range in its words', (cents) => {
    expect(rangeRefusal(plan, cents)).toBe('Starter takes $100.00 to $5,000.00.');
  });
});

describe('the terms of an investment', () => {
  const openedAt = new Date('2026-02-15T09:30:00.123Z');

  it('are those of the plan at that moment, to the cent and to the millisecond', () => {
    expect(termsOf(plan, 123_456n, openedAt)).toEqual({
      planname: 'Starter',
      amountCents: 123_456n,
      profitCents: 15_432n,
      durationDays: 30,
      roiPoints: 1250,
      openedAt,
      maturesAt: new Date('2026-03-17T09:30:00.123Z'),
    });
  });
  it('count days of 24 hours, whatever the calendar does in between', () => {
    const { maturesAt } = termsOf({ ...plan, durationDays: 365 }, 10_000n, new Date('2027-03-01T00:00:00Z'));
    expect(maturesAt).toEqual(new Date('2028-02-29T00:00:00Z'));
  });
  it('do not change when the plan does', () => {
    const later = { ...plan };
    const terms = termsOf(later, 10_000n, openedAt);
    Object.assign(later, { durationDays: 1, roiPoints: 1, planname: 'Other' });
    expect(terms).toMatchObject({
      planname: 'Starter',
      durationDays: 30,
      roiPoints: 1250,
      profitCents: 1250n,
    });
  });
});
