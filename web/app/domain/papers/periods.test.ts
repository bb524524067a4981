import { expect, test } from 'vitest';
import { daysProblem, monthsOf } from './periods.ts';

test('months are listed from the newest back to the one in which the account began', () => {
  expect(monthsOf({ since: '2026-09-20', until: '2026-11-15' })).toEqual([
    { from: '2026-11-01', to: '2026-11-15', name: 'November 2026, until the 15th' },
    { from: '2026-10-01', to: '2026-10-31', name: 'October 2026' },
    { from: '2026-09-01', to: '2026-09-30', name: 'September 2026' },
  ]);
});

test('a year’s end and a leap day are where the calendar has them', () => {
  const days = monthsOf({ since: '2027-12-31', until: '2028-02-29' }).map(({ from, to }) => `${from} ${to}`);
  expect(days).toEqual(['2028-02-01 2028-02-29', '2028-01-01 2028-01-31', '2027-12-01 2027-12-31']);
});

test('days are named as they are said', () => {
  const nameOf = (until: string) => monthsOf({ since: until, until })[0]?.name;
  expect(['2026-11-01', '2026-11-12', '2026-11-22', '2026-11-30'].map(nameOf)).toEqual([
    'November 2026, until the 1st',
    'November 2026, until the 12th',
    'November 2026, until the 22nd',
    'November 2026',
  ]);
});

test('an account that began today has no month yet', () => {
  expect(monthsOf({ since: '2026-12-01', until: '2026-11-30' })).toEqual([]);
  expect(monthsOf({ since: '2026-11-16', until: '2026-11-15' })).toEqual([]);
});

test('says what is missing in the days that somebody chose', () => {
  const problem = (from: string, to: string) => daysProblem({ from, to }, '2026-11-15');
  expect(problem('2026-11-01', '2026-11-15')).toBeNull();
  expect(problem('', '2026-11-15')).toMatch('Choose the first');
  expect(problem('2026-11-03', '2026-11-02')).toMatch('after the last');
  expect(problem('2026-11-03', '2026-11-16')).toMatch('up to 15 Nov 2026');
});
