import { expect, test } from 'vitest';
import { scaleOf, scaleUsd, shortUsd } from './chart-frame.tsx';
import { readHeld } from './held-form.tsx';
import {
  coverageOf,
  differenceOf,
  dueSentence,
  dueSoon,
  enteredText,
  flowSentence,
  peakSentence,
} from './sums.ts';

const week = (monday: string, principal: number, profit: number) => ({
  monday,
  principal,
  profit,
  again: 0,
  count: 1,
});
const weeks = [
  week('2026-11-16', 48_200, 700.1),
  week('2026-11-23', 61_350, 2149.5),
  week('2026-11-30', 39_800, 600),
  week('2026-12-07', 72_500, 2540.03),
  week('2026-12-14', 54_100, 1895),
];
const none = { principal: 0, profit: 0, again: 0, count: 0 };

test('coverage is held over owed', () => {
  expect(coverageOf(1_146_705.54, 1_284_310.2)).toBe('112.0%');
  expect(coverageOf(100, null)).toBe('Not known');
  expect(coverageOf(0, 50)).toBe('Nothing owed');
});

test('what is missing is named as missing', () => {
  expect(differenceOf(100, 112.5)).toEqual({ name: 'Held above owed', cents: 1250n });
  expect(differenceOf(112.5, 100)).toEqual({ name: 'Held below owed', cents: 1250n });
  expect(differenceOf(100, null).cents).toBeNull();
});

test('due soon are the weeks that begin within four weeks, to the cent', () => {
  expect(dueSoon({ weeks, at: '2026-11-15T09:41:00Z' })).toBe(22_783_963n);
  expect(dueSoon({ weeks: [], at: '2026-11-15T09:41:00Z' })).toBe(0n);
});

test('the oldest figure says how old the picture is', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const method = (enteredat: string | null) => ({
    methodid: 'a',
    paymentname: 'Bitcoin',
    coin: 'bitcoin',
    amount: enteredat ? 1 : null,
    enteredat,
    enteredby: null,
  });
  expect(enteredText([method('2026-11-15T08:00:00Z'), method('2026-11-15T09:00:00Z')], now)).toBe(
    'Today, 08:00',
  );
  expect(enteredText([method('2026-11-12T08:00:00Z'), method('2026-11-15T09:00:00Z')], now)).toBe(
    '12 Nov, 08:00',
  );
  expect(enteredText([method(null), method('2026-11-15T09:00:00Z')], now)).toBe('1 of 2');
  expect(enteredText([method(null)], now)).toBe('Not yet');
});

test('the sentences carry the sums', () => {
  expect(dueSentence({ weeks, later: { principal: 50, profit: 0.37, again: 0, count: 1 } })).toBe(
    'Principal $276,000.00 and profit $7,885.00, in the week they fall due. Weeks start on Monday.',
  );
  expect(dueSentence({ weeks: [], later: none })).toBe('No investment is open, so nothing falls due.');
  expect(peakSentence(weeks)).toBe(
    'Principal and profit falling due in 5 weeks. The most is $75,040.03, in the week of 7 Dec 2026.',
  );
  expect(peakSentence([])).toBe('Nothing falls due in these weeks.');
  expect(
    flowSentence([
      { day: '2026-11-14', deposits: 0.1, withdrawals: 0 },
      { day: '2026-11-15', deposits: 0.2, withdrawals: 5 },
    ]),
  ).toBe('$0.30 came in and $5.00 went out in the last 2 days.');
});

test('days without movement say so', () => {
  expect(flowSentence([{ day: '2026-11-15', deposits: 0, withdrawals: 0 }])).toBe(
    'Nothing came in and nothing went out in the last 1 day.',
  );
});

test('a scale ends at a round figure that is not below the largest bar', () => {
  expect(scaleOf(93_800)).toEqual([0, 25_000, 50_000, 75_000, 100_000]);
  expect(scaleOf(12)).toEqual([0, 5, 10, 15]);
  expect(scaleOf(0)).toEqual([0]);
  expect(scaleOf(100)).toEqual([0, 25, 50, 75, 100]);
});

test('figures in a chart are short', () => {
  expect([93_776, 999.6, 12.4, 1_240_000, 999_960].map(shortUsd)).toEqual([
    '$93.8k',
    '$1.0k',
    '$12',
    '$1.2m',
    '$1.0m',
  ]);
  expect([0, 2500, 25_000, 1_250_000, 0.5].map(scaleUsd)).toEqual(['$0', '$2.5k', '$25k', '$1.25m', '$0.5']);
});

test('what is held may be nothing', () => {
  expect(readHeld('0')).toBe(0n);
  expect(readHeld('$0.00')).toBe(0n);
  expect(readHeld('748,902.10')).toBe(74_890_210n);
  expect(readHeld('')).toBeNull();
  expect(readHeld('-5')).toBeNull();
});
