import { describe, expect, it } from 'vitest';
import { dayMs } from '../../testing/clock.ts';
import {
  draftRefusal,
  exitOffer,
  exitOpensAt,
  exitPostings,
  exitTermsOf,
  exitToWire,
  isUuid,
  rangeRefusal,
  termsOf,
  wholeTerms,
} from './rules.ts';

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

it.each([
  ['0190b0a3-7c1e-7f00-8a2b-0123456789ab', true],
  ['0190B0A3-7C1E-7F00-8A2B-0123456789AB', true],
  [' 0190b0a3-7c1e-7f00-8a2b-0123456789ab', false],
  ['0190b0a3-7c1e-7f00-8a2b-0123456789abc', false],
  ['0190b0a-7c1e-7f00-8a2b-0123456789ab', false],
  ['0190b0ax-7c1e-7f00-8a2b-0123456789ab', false],
  ['0190b0a3-7c1e-8a2b-0123456789ab', false],
  ['starter', false],
])('%s is an id: %s', (text, isOne) => {
  expect(isUuid(text)).toBe(isOne);
});

describe('a plan', () => {
  it('offers nothing that its draft does not say', () => {
    const { reinvestable, exitFromDay, exitKeepsPoints, exitFeePoints, ...draft } = plan;
    expect(wholeTerms(draft)).toEqual(plan);
    expect(wholeTerms({ ...draft, reinvestable: true })).toEqual({ ...plan, reinvestable: true });
  });
  it('has a range, of one amount at the least, and is left before its last day if early', () => {
    const why = (part: Partial<typeof plan> | { exitFromDay: number }) => draftRefusal({ ...plan, ...part });
    expect(why({ fromCents: 500_000n })).toBeNull();
    expect(why({ fromCents: 500_001n })).toBe('The range begins above its end.');
    expect([why({}), why({ exitFromDay: 29 })]).toEqual([null, null]);
    expect(why({ exitFromDay: 30 })).toBe('A plan can be left early only before its last day.');
  });
});

describe('leaving early', () => {
  const leaving = { exitFromDay: 7, exitKeepsPoints: 5_000, exitFeePoints: 50 };
  const openedAt = new Date('2026-02-15T09:30:00.123Z');
  const after = (ms: number) => new Date(openedAt.getTime() + ms);
  const opened = { ...termsOf(plan, 123_456n, openedAt), ...leaving };
  const refusal = (message: string) => ({ refused: { code: 'exit_refused', message } });

  it('is on all three terms, or on none', () => {
    expect(exitTermsOf(leaving)).toEqual({ fromDay: 7, keepsPoints: 5_000, feePoints: 50 });
    expect(exitToWire(leaving)).toEqual({ fromday: 7, keeps: 50, fee: 0.5 });
    for (const one of ['exitFromDay', 'exitKeepsPoints', 'exitFeePoints']) {
      expect([exitTermsOf({ ...leaving, [one]: null }), exitToWire({ ...leaving, [one]: null })]).toEqual([
        null,
        null,
      ]);
    }
  });
  it('opens when so many days of 24 hours are over', () => {
    expect(exitOpensAt(opened)).toEqual(after(7 * dayMs));
    expect(exitOpensAt({ openedAt, exitFromDay: 0 })).toEqual(openedAt);
    expect(exitOpensAt({ openedAt, exitFromDay: null })).toBeNull();
  });
  it('is offered from that moment to the last before it matures, by whole days', () => {
    const days = (ms: number) => exitOffer(opened, after(ms));
    const tooEarly = refusal('It can be left when 7 of its days are over, not before.');
    expect(days(7 * dayMs - 1)).toMatchObject(tooEarly);
    expect(days(7 * dayMs)).toEqual({
      // 15,432 cents of profit in 30 days: 3,600.8 in seven.
      accruedCents: 3_600n,
      keptCents: 1_800n,
      feeCents: 617n,
      paidCents: 124_639n,
      days: 7,
      terms: { fromDay: 7, keepsPoints: 5_000, feePoints: 50 },
    });
    expect(days(8 * dayMs - 1)).toEqual(days(7 * dayMs));
    expect(days(30 * dayMs - 1)).toMatchObject({ days: 29, accruedCents: 14_917n });
    const over = refusal('The term is over: all of the profit is on its way to your wallet.');
    expect(days(30 * dayMs)).toMatchObject(over);
  });
  it('is never offered by a plan that does not say so', () => {
    const runs = refusal('Starter runs to its end.');
    for (const one of ['exitFromDay', 'exitKeepsPoints', 'exitFeePoints'])
      expect(exitOffer({ ...opened, [one]: null }, after(8 * dayMs))).toMatchObject(runs);
  });

  it('gives the amount back, then the profit, then takes the fee; what is nothing is not written', () => {
    const wallet = { kind: 'wallet', ownerId: 'me' };
    const returns = { kind: 'returns', ownerId: null };
    const back = [
      { account: { kind: 'invested', ownerId: 'me' }, amountCents: -123_456n, label: 'Early Exit' },
      { account: wallet, amountCents: 123_456n, label: 'Early Exit' },
    ];
    const amounts = { accruedCents: 3_600n, keptCents: 1_800n, feeCents: 617n, paidCents: 124_639n };
    const whose = { userId: 'me', amountCents: 123_456n };
    expect(exitPostings(whose, amounts)).toEqual([
      ...back,
      { account: returns, amountCents: -1_800n, label: 'Profit' },
      { account: wallet, amountCents: 1_800n, label: 'Profit' },
      { account: wallet, amountCents: -617n, label: 'Exit Fee' },
      { account: returns, amountCents: 617n, label: 'Exit Fee' },
    ]);
    expect(exitPostings(whose, { ...amounts, keptCents: 0n, feeCents: 0n })).toEqual(back);
  });
});
