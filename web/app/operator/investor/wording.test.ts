import { expect, test } from 'vitest';
import {
  closedWords,
  lettersSentence,
  nameOf,
  protectionWords,
  recordWords,
  unfreezeWords,
  unfrozenText,
  whoSentence,
} from './wording.ts';

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
  closedat: null,
  emailuntil: null,
};
const record = { at: '2026-11-15T09:00:00Z', entries: 48, sum: 6212.75, finding: null };
const factors = { authenticator: false, passkeys: 0, recoverycodesleft: 0 };
const rest = { frozen: null, waitingcorrections: 0, factorremoval: null, addressprotection: null };
const answer = { investor, together: 18462.75, devices: 3, factors, ...rest, lettersoff: [], told: [] };

test('one line says who it is', () => {
  expect(whoSentence(answer)).toBe('investor@example.com, since 2 Mar 2026, 3 devices, no second factor');
  expect(whoSentence({ ...answer, devices: 1, investor: { ...investor, verified: false } })).toBe(
    'investor@example.com, since 2 Mar 2026, 1 device, no second factor, e-mail not verified',
  );
  const on = { authenticator: true, passkeys: 2, recoverycodesleft: 9 };
  expect(whoSentence({ ...answer, factors: on })).toContain(
    'second factor: an authenticator and 2 passkeys, 9 recovery codes left',
  );
  const closed = { ...investor, fullname: investor.email, closedat: '2026-11-15T09:00:00Z' };
  expect(whoSentence({ ...answer, investor: closed })).toBe('investor@example.com, since 2 Mar 2026');
  expect(whoSentence({ ...answer, investor: { ...closed, email: '' } })).toBe('since 2 Mar 2026');
  expect([nameOf(investor), nameOf(closed)]).toEqual(['Sample Investor', 'Closed account']);
});

test('protected addresses are said with their time, and their end', () => {
  expect(protectionWords(null)).toBe('Not protected: withdrawals go to any address.');
  const since = '2026-11-14T09:00:00Z';
  const on = 'Protected since 14 Nov 2026: withdrawals go only to saved addresses.';
  expect(protectionWords({ since, offfrom: null })).toBe(on);
  expect(protectionWords({ since, offfrom: '2026-11-16T09:05:00Z' })).toBe(
    `${on} It ends 16 Nov 2026, 09:05 UTC.`,
  );
});

test('one sentence says which letters do not come', () => {
  expect(lettersSentence([])).toBe('Gets every letter.');
  const since = '2026-11-02T09:00:00Z';
  const off = [
    { topic: 'deposits', since },
    { topic: 'investments', since: '2026-11-05T09:00:00Z' },
  ] as const;
  expect(lettersSentence([...off])).toBe(
    'Wants no letters about deposits since 2 Nov 2026, investments since 5 Nov 2026. All others are sent.',
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

test('after a lost payment the first of two does not let money go, cannot say it twice, and the second is told', () => {
  const frozen = { reason: 'odd', by: 'the network', at: '2026-11-15T09:00:00Z', afterloss: true };
  const ada = { operator: 'ada', name: 'Ada Finch' };
  const words = (unfrozenfirst: typeof ada | null, who: string) =>
    unfreezeWords({ ...frozen, unfrozenfirst }, 'Sample Investor', who);
  expect(words(null, 'ada')).toMatchObject({
    note: 'Two operators have to unfreeze them.',
    isOff: false,
    explains: expect.stringContaining('You are the first'),
  });
  expect(words(ada, 'ada')).toMatchObject({
    note: 'Two operators have to unfreeze them. You have; another one has not yet.',
    isOff: true,
  });
  expect(words(ada, 'ben')).toMatchObject({
    note: 'Two operators have to unfreeze them. Ada Finch has; one more does.',
    isOff: false,
    explains: expect.stringMatching(/^Ada Finch has said so first/),
  });
  expect(unfrozenText(true, 'Sample Investor')).toMatch(/stay frozen until a second operator/);
  expect(unfrozenText(false, 'Sample Investor')).toBe('Sample Investor can withdraw again');
});

test('a freeze that an operator made is lifted by one', () => {
  const frozen = { reason: 'odd', by: 'Ada Finch', at: '2026-11-15T09:00:00Z', afterloss: false };
  expect(unfreezeWords({ ...frozen, unfrozenfirst: null }, 'Sample Investor', 'ada')).toMatchObject({
    note: null,
    isOff: false,
  });
});

test('of a closed account it is said what is left, and until when it can be written to', () => {
  expect(closedWords(investor)).toBeNull();
  const closed = { ...investor, closedat: '2026-11-15T09:00:00Z', emailuntil: '2026-12-15T09:00:00Z' };
  expect(closedWords(closed)?.title).toBe('Closed on 15 Nov 2026.');
  expect(closedWords(closed)?.text).toContain('is kept until 15 Dec 2026');
  expect(closedWords({ ...closed, emailuntil: null })?.text).toContain('is forgotten, too');
});
