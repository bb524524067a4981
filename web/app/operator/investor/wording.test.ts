import { expect, test } from 'vitest';
import { recordWords, whoSentence } from './wording.ts';

const investor = {
  _id: 'a',
  fullname: 'Sample Investor',
  email: 'investor@example.com',
  verified: true,
  since: '2026-03-02T09:00:00Z',
  available: 6212.75,
  invested: 11500,
  withdrawing: 750,
  frozen: false,
};
const record = { at: '2026-11-15T09:00:00Z', entries: 48, sum: 6212.75, finding: null };
const answer = { investor, together: 18462.75, devices: 3, frozen: null, waitingcorrections: 0 };

test('one line says who it is', () => {
  expect(whoSentence(answer)).toBe('investor@example.com, since 2 Mar 2026, 3 devices');
  expect(whoSentence({ ...answer, devices: 1, investor: { ...investor, verified: false } })).toBe(
    'investor@example.com, since 2 Mar 2026, 1 device, e-mail not verified',
  );
});

test('a record is unbroken when every entry is as it was written', () => {
  expect(recordWords(record)).toEqual({
    state: 'passed',
    title: 'Record unbroken.',
    text: '48 entries, each carrying the code of the one before. Sum $6,212.75, equal to the ledger.',
  });
});

test('a finding is shown in the server’s words', () => {
  expect(recordWords({ ...record, finding: 'entry 12 is not as it was written' })).toMatchObject({
    state: 'failed',
    text: 'The wallet: entry 12 is not as it was written.',
  });
});

test('without entries nothing is claimed', () => {
  expect(recordWords({ ...record, entries: 0, sum: 0 }).state).toBe('unknown');
});
