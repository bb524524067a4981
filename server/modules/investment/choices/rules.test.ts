import { describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../testing/clock.ts';
import {
  type Choice,
  closesAt,
  decideMaturity,
  isToldOnScreen,
  noTermsWords,
  paidWords,
  termsFor,
  toldWhen,
} from './rules.ts';

const plan = {
  id: 'standard',
  planname: 'Standard',
  fromCents: 2_000_00n,
  toCents: 9_999_00n,
  durationDays: 60,
  roiPoints: 190,
  reinvestable: true,
  exitFromDay: null,
  exitKeepsPoints: null,
  exitFeePoints: null,
};
const matured = { amountCents: 2_000_00n, profitCents: 38_00n };
const maturesAt = new Date('2026-06-05T09:41:00.000Z');
const before = (ms: number) => new Date(maturesAt.getTime() - ms);
const offered = new Map([[plan.id, plan]]);

function chosen(choice: Choice['choice'], terms: NonNullable<Choice['told']>['terms']): Choice {
  return { investmentId: '1', choice, told: { at: before(3 * dayMs), by: 'letter', terms } };
}

describe('the terms that are told', () => {
  it('are for the principal or for everything, with the profit of the plan', () => {
    expect(termsFor('principal', matured, plan)).toEqual({
      planId: 'standard',
      amountCents: 2_000_00n,
      profitCents: 38_00n,
    });
    expect(termsFor('everything', matured, plan)).toEqual({
      planId: 'standard',
      amountCents: 2_038_00n,
      profitCents: 38_72n,
    });
  });

  it('are none where the plan is not offered, or takes less or more, to the cent', () => {
    expect(termsFor('principal', matured, null)).toEqual({ because: 'plan_off' });
    const taking = (fromCents: bigint, toCents: bigint) =>
      'because' in termsFor('everything', matured, { ...plan, fromCents, toCents });
    expect([taking(1n, 2_038_00n), taking(1n, 2_037_99n)]).toEqual([false, true]);
    expect([taking(2_038_00n, 9_999_00n), taking(2_038_01n, 9_999_00n)]).toEqual([false, true]);
  });
});

describe('what matures', () => {
  const told = { planId: 'standard', amountCents: 2_038_00n, profitCents: 38_72n };

  it('is invested again on exactly what was told', () => {
    expect(decideMaturity(chosen('everything', told), matured, offered)).toEqual({
      plan,
      amountCents: 2_038_00n,
    });
  });

  it('is paid out where it was not told, or the plan or an amount is another', () => {
    const because = (choice: Choice, plans = offered) => {
      const decided = decideMaturity(choice, matured, plans);
      return 'because' in decided ? decided.because : null;
    };
    expect(because({ investmentId: '1', choice: 'everything', told: null })).toBe('not_told');
    expect(because(chosen('everything', { because: 'outside_range' }))).toBe('outside_range');
    expect(because(chosen('everything', told), new Map())).toBe('plan_off');
    expect(because(chosen('principal', told))).toBe('not_told');
    expect(because(chosen('everything', { ...told, amountCents: 2_037_99n }))).toBe('not_told');
    expect(because(chosen('everything', { ...told, profitCents: 38_73n }))).toBe('not_told');
    const narrow = new Map([[plan.id, { ...plan, toCents: 2_037_99n }]]);
    expect(because(chosen('everything', told), narrow)).toBe('outside_range');
  });
});

describe('the hours of a choice', () => {
  it('end one before it matures', () => {
    expect(closesAt(maturesAt)).toEqual(before(hourMs));
  });

  it('belong to the letter until three days before, then to the screen', () => {
    expect(isToldOnScreen(maturesAt, before(3 * dayMs + 1))).toBe(false);
    expect(isToldOnScreen(maturesAt, before(3 * dayMs))).toBe(true);
  });

  it('leave a day for a letter that is late, and no more', () => {
    const isTold = (beforeMs: number) => {
      const { after, until } = toldWhen(before(beforeMs));
      return maturesAt > after && maturesAt <= until;
    };
    expect([3 * dayMs + 1, 3 * dayMs, 2 * dayMs + 1, 2 * dayMs].map(isTold)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('the words', () => {
  const outside = 'The amount is not within what the plan takes.';

  it('say why there are no terms', () => {
    expect(noTermsWords).toEqual({
      plan_off: 'The plan is not offered at the moment.',
      outside_range: outside,
    });
  });

  it('say why it was paid out, and remind nobody of terms that were never told', () => {
    expect(paidWords({ reason: null, toldReason: null })).toBeNull();
    expect(paidWords({ reason: 'plan_off', toldReason: null })).toBe(
      'The plan was not offered any more on the terms that you were told.',
    );
    expect(paidWords({ reason: 'plan_off', toldReason: 'plan_off' })).toBe(
      'The plan was not offered when you were to be told its terms.',
    );
    expect(paidWords({ reason: 'outside_range', toldReason: 'outside_range' })).toBe(outside);
    expect(paidWords({ reason: 'not_told', toldReason: null })).toBe(
      'You had not been told the terms in time.',
    );
  });
});
