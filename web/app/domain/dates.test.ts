import { expect, test } from 'vitest';
import { agoOf, dayOf, localTimeOf, longDayOf, monthOf, shortDayOf, timeOf } from './dates.ts';

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

test('the reader’s own time is told where it is another', () => {
  const at = '2026-11-15T09:41:00Z';
  expect(localTimeOf(at, 'Europe/Berlin')).toBe('15 November 2026, 10:41 CET');
  expect(localTimeOf(at, 'Asia/Kolkata')).toBe('15 November 2026, 15:11 GMT+5:30');
  expect(localTimeOf(at, 'UTC')).toBeNull();
  expect(`${longDayOf(at)}, ${timeOf(at)}`).toBe('15 November 2026, 09:41 UTC');
});
