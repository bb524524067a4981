import type { Investment } from '@tallystick/contract/investment';
import { expect, test } from 'vitest';
import { dayOfTerm, timeLeft, welcomeSentence } from './maturity.ts';

const investment: Investment = {
  _id: '1',
  investmentransactionid: 'TS-2W7C-5MHT',
  planname: 'Starter',
  investinvestmemntamount: 1500,
  duration: 30,
  roi: 0.8,
  profit: 12,
  status: 0,
  openedat: '2026-10-22T09:41:00.000Z',
  maturesat: '2026-11-21T09:41:00.000Z',
  settledat: null,
  maturity: {
    offered: false,
    choice: 'wallet',
    closesat: '2026-11-21T08:41:00.000Z',
    told: null,
    outcome: null,
    reason: null,
    reinvestedas: null,
  },
  exitfrom: null,
  exit: null,
};

test.each([
  ['2026-10-22T09:40:45Z', 1, 'In 30 days'],
  ['2026-10-22T09:41:00Z', 1, 'In 30 days'],
  ['2026-11-15T09:41:00Z', 24, 'In 6 days'],
  ['2026-11-15T12:00:00Z', 25, 'In 6 days'],
  ['2026-11-20T10:00:00Z', 30, 'In 24 hours'],
  ['2026-11-21T08:30:00Z', 30, 'In 2 hours'],
  ['2026-11-21T09:40:30Z', 30, 'In 1 minute'],
  ['2026-11-21T09:41:00Z', 30, null],
  ['2026-12-24T00:00:00Z', 30, null],
])('at %s it is day %i, and it matures %s', (now, day, left) => {
  expect(dayOfTerm(investment, new Date(now))).toBe(day);
  expect(timeLeft(investment, new Date(now))).toBe(left);
});

const now = new Date('2026-11-15T09:41:00Z');

test.each([
  [{ ongoing: 1, investment, entries: 4, waiting: 0 }, 'One investment matures in 6 days.'],
  [
    { ongoing: 3, investment, entries: 4, waiting: 1 },
    '3 investments are running, the next matures in 6 days. One request is waiting.',
  ],
  [
    { ongoing: 1, investment: { ...investment, maturesat: '2026-11-15T09:00:00Z' }, entries: 4, waiting: 0 },
    'One investment is being paid out.',
  ],
  [
    { ongoing: 0, investment: null, entries: 4, waiting: 2 },
    'No investment is running. 2 requests are waiting.',
  ],
  [{ ongoing: 0, investment: null, entries: 0, waiting: 0 }, 'Fund your wallet to begin.'],
])('the welcome says what matters most: %o', (facts, sentence) => {
  expect(welcomeSentence(facts, now)).toBe(sentence);
});
