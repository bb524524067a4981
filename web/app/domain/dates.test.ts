import { expect, test } from 'vitest';
import { agoOf, dayOf, monthOf, shortDayOf, timeOf } from './dates.ts';

const now = new Date('2026-11-15T09:00:00Z');

test.each([
  ['2026-11-15T08:59:40Z', 'just now'],
  ['2026-11-15T09:00:30Z', 'just now'],
  ['2026-11-15T08:58:30Z', '1 minute ago'],
  ['2026-11-15T07:00:00Z', '2 hours ago'],
  ['2026-11-03T07:00:00Z', '3 Nov 2026'],
])('%s was %s', (at, words) => {
  expect(agoOf(at, now)).toBe(words);
});

test('dates are those of UTC, September has three letters', () => {
  const late = '2026-09-30T23:59:59Z';
  expect([dayOf(late), shortDayOf(late), timeOf(late), monthOf(late)]).toEqual([
    '30 Sep 2026',
    '30 Sep',
    '23:59 UTC',
    'September 2026',
  ]);
});
