import { expect, test } from 'vitest';
import { recordWords, whoSentence } from './words.ts';

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
const record = { entries: 48, sum: 6212.75, finding: null };
const answer = { investor, together: 18462.75, devices: 3, frozen: null, record, waitingcorrections: 0 };

test('one line says who it is', () => {
  expect(whoSentence(answer)).toBe('investor@example.com, since 2 Mar 2026, 3 devices');
  expect(whoSentence({ ...answer, devices: 1, investor: { ...investor, verified: false } })).toBe(
    'investor@example.com, since 2 Mar 2026, 1 device, e-mail not verified',
  );
});

test('a record is unbroken when the chain holds and its sum is the wallet', () => {
  expect(recordWords(answer)).toEqual({
    state: 'passed',
    title: 'Record unbroken.',
    text: '48 entries, each carrying the code of the one before. Sum $6,212.75, equal to the ledger.',
  });
});

test('a finding is shown in the server’s words', () => {
  const broken = { ...record, finding: 'Entry 12 was altered.' };
  expect(recordWords({ ...answer, record: broken })).toMatchObject({
    state: 'failed',
    text: 'Entry 12 was altered.',
  });
});

test('a sum that is not the wallet is never called equal', () => {
  const words = recordWords({ ...answer, record: { ...record, sum: 6212.74 } });
  expect(words.state).toBe('failed');
  expect(words.text).toBe('The entries sum to $6,212.74, the ledger says $6,212.75.');
});

test('without entries nothing is claimed', () => {
  const empty = { entries: 0, sum: 0, finding: null };
  expect(recordWords({ record: empty, investor: { ...investor, available: 0 } }).state).toBe('unknown');
});
