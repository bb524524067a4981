import { dictionary } from '@zxcvbn-ts/language-common';
import { describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../testing/clock.ts';
import {
  codeHmac,
  codeRules,
  deviceRules,
  emailKey,
  emailRefusal,
  newAddressesWaitMs,
  passwordRefusal,
  sameBytes,
  seenEveryMs,
  sessionIsAlive,
  sha256,
  signInRules,
  waitBeforeIssue,
} from './rules.ts';

it('the limits of codes and of signing in are those that were promised', () => {
  expect(codeRules).toEqual({
    codeLifeMs: 10 * minuteMs,
    linkLifeMs: dayMs,
    flowLifeMs: hourMs,
    triesPerCode: 5,
    issueGapMs: minuteMs,
    issuesPerDay: 5,
    issuesPerAddress: { limit: 20, windowMs: hourMs },
    wrongTriesPerAccount: { limit: 15, windowMs: dayMs },
    wrongTriesOfAll: { limit: 1000, windowMs: dayMs },
    dayMs,
  });
  const fromTheFifth = { from: 5, firstDelayMs: 30_000, delayMsMax: hourMs };
  expect(signInRules).toEqual({
    perAddress: { ...fromTheFifth, windowMs: hourMs },
    perPair: { ...fromTheFifth, windowMs: dayMs },
    perAccount: { from: 25, firstDelayMs: 30_000, delayMsMax: 15 * minuteMs, windowMs: dayMs },
  });
  expect(deviceRules).toEqual({ keptMax: 50, lifeMs: 400 * dayMs });
  expect([newAddressesWaitMs, seenEveryMs]).toEqual([dayMs, minuteMs]);
});

describe('two spellings of one e-mail address', () => {
  it.each([
    ['AMARA@Example.COM', 'amara@example.com'],
    ['  amara@example.com ', 'amara@example.com'],
    ['JÖRG@example.com', 'jörg@example.com'],
    ['jo\u0308rg@example.com', 'jörg@example.com'],
    ['amara@BÜCHER.example', 'amara@xn--bcher-kva.example'],
    ['ａｍａｒａ@example.com', 'amara@example.com'],
    ['ΣΊΣΥΦΟΣ@example.com', 'σίσυφος@example.com'],
  ])('%s and %s are the same', (typed, same) => {
    expect(emailKey(typed)).toBe(emailKey(same));
  });

  it.each([
    // Upper-casing either of these would make them one: the classic way to take over an account.
    ['mıke@example.com', 'mike@example.com'],
    ['straße@example.com', 'strasse@example.com'],
    ['a.mara@example.com', 'amara@example.com'],
    ['amara+1@example.com', 'amara@example.com'],
  ])('%s and %s are not', (one, other) => {
    expect(emailKey(one)).not.toBe(emailKey(other));
  });
});

describe('the key of an e-mail address', () => {
  it.each([
    ['a@b@Example.com', 'a@b@example.com'],
    ['amara@', 'amara@'],
    ['amara@exa mple', 'amara@exa mple'],
    // Small letters may need to be folded once more.
    ['\u1E9E@example.com', 'ß@example.com'],
    ['ϓ@example.com', 'ύ@example.com'],
  ])('of %j is %j', (typed, key) => {
    expect(emailKey(typed)).toBe(key);
  });
});

describe('a new account’s address', () => {
  it.each(['amara@example.com', 'amara@EXAMPLE.com', 'amara@bücher.example', 'a@b@xn--bcher-kva.example'])(
    'can be %s',
    (email) => {
      expect(emailRefusal(email)).toBeNull();
    },
  );
  it.each([
    'amara@ｅxample.com',
    'amara@bu\u0308cher.example',
    'amara@exa mple.com',
    'amara@',
    'amara@exam%70le.com',
  ])('cannot be %s', (email) => {
    expect(emailRefusal(email)).toBe('Write the part after the @ in its usual form, like example.com.');
  });
});

describe('a password that is being chosen', () => {
  it.each(['1234567', 'password', 'PassWord', 'iloveyou1', 'x'.repeat(129), 'ü'.repeat(7)])(
    '%s is refused',
    (password) => {
      expect(passwordRefusal(password)).toMatch(/\.$/);
    },
  );

  it.each(['xq7!mopr', 'ein ganzer Satz', '密码密码密码密码', 'x'.repeat(128), '        7 spaces'])(
    '%s is taken',
    (password) => {
      expect(passwordRefusal(password)).toBeNull();
    },
  );
});

it('who chooses a password is told what is wrong with it', () => {
  expect(passwordRefusal('1234567')).toBe('Use at least 8 characters.');
  expect(passwordRefusal('x'.repeat(129))).toBe('Use at most 128 characters.');
  expect(passwordRefusal('iloveyou1')).toMatch(/^This password is among the most used ones/);
});

it('the ten thousand most used passwords are refused, and what is used less is not', () => {
  const ranked = dictionary['passwords-common'].map((word, rank) => ({ word, rank }));
  const long = ranked.filter(({ word }) => word.length >= 8);
  const last = long.findLast(({ rank }) => rank < 10_000)?.word ?? '';
  const first = long.find(({ rank }) => rank >= 10_000)?.word ?? '';
  expect(passwordRefusal(last)).toMatch(/most used/);
  expect(passwordRefusal(first)).toBeNull();
});

it('a code is bound to its user, its purpose and its flow', () => {
  const base = {
    key: Buffer.alloc(32, 1),
    userId: 'u1',
    purpose: 'reset',
    flowId: 'f1',
    code: '0042',
  } as const;
  const variants = [
    base,
    { ...base, userId: 'u2' },
    { ...base, purpose: 'verify' as const },
    { ...base, flowId: 'f2' },
    { ...base, code: '0043' },
    { ...base, key: Buffer.alloc(32, 2) },
  ];
  expect(new Set(variants.map((variant) => codeHmac(variant).toString('hex'))).size).toBe(variants.length);
});

it('a code that belongs to no flow is bound to that', () => {
  const base = { key: Buffer.alloc(32, 1), userId: 'u1', purpose: 'reset', code: '0042' } as const;
  const bytes = (flowId: string | null) => codeHmac({ ...base, flowId });
  expect(bytes(null)).toEqual(bytes(''));
  expect(bytes(null)).not.toEqual(bytes('f1'));
  // Parts cannot be pushed from one place into the next.
  expect(codeHmac({ ...base, userId: 'u1r', purpose: 'eset' as 'reset', flowId: '' })).not.toEqual(bytes(''));
});

it('secrets are kept as their SHA-256 and compared whole', () => {
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(sha256('abc').toString('hex')).toBe(digest);
  expect(sameBytes(Buffer.from('abc'), Buffer.from('abc'))).toBe(true);
  expect(sameBytes(Buffer.from('abc'), Buffer.from('abd'))).toBe(false);
  expect(sameBytes(Buffer.from('abc'), Buffer.from('abcd'))).toBe(false);
});

describe('a session', () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 15, 9, minutes));
  const idleMs = 60 * 60_000;
  const session = { seenAt: at(0), expiresAt: at(24 * 60), endedAt: null };

  it('lives while it is used', () => {
    expect(sessionIsAlive(session, idleMs, at(59))).toBe(true);
  });
  it('dies after an idle hour', () => {
    expect(sessionIsAlive(session, idleMs, at(60))).toBe(false);
  });
  it('dies at its absolute end however much it is used', () => {
    expect(sessionIsAlive({ ...session, seenAt: at(24 * 60 - 1) }, idleMs, at(24 * 60))).toBe(false);
  });
  it('lives until the last moment of both', () => {
    const last = new Date(at(24 * 60).getTime() - 1);
    expect(sessionIsAlive({ ...session, seenAt: at(24 * 60 - 1) }, idleMs, last)).toBe(true);
    expect(sessionIsAlive(session, idleMs, new Date(at(60).getTime() - 1))).toBe(true);
  });
  it('dies when it was ended', () => {
    expect(sessionIsAlive({ ...session, endedAt: at(1) }, idleMs, at(2))).toBe(false);
  });
});

describe('another code', () => {
  const now = new Date('2026-11-15T09:00:00Z');
  const ago = (ms: number) => new Date(now.getTime() - ms);

  it('may be sent at once when none was', () => {
    expect(waitBeforeIssue({ firstIssuedAt: null, lastIssuedAt: null, issuedToday: 0 }, now)).toBe(0);
  });
  it('waits for the rest of a minute', () => {
    expect(
      waitBeforeIssue({ firstIssuedAt: ago(18_000), lastIssuedAt: ago(18_000), issuedToday: 1 }, now),
    ).toBe(42_000);
  });
  it('may be sent when the minute is over, and no wait is less than none', () => {
    const issued = (ms: number, issuedToday: number) => ({
      firstIssuedAt: ago(ms),
      lastIssuedAt: ago(ms),
      issuedToday,
    });
    expect(waitBeforeIssue(issued(59_999, 4), now)).toBe(1);
    expect(waitBeforeIssue(issued(60_000, 4), now)).toBe(0);
    expect(waitBeforeIssue(issued(999_999, 4), now)).toBe(0);
    expect(waitBeforeIssue({ ...issued(1, 1), firstIssuedAt: null }, now)).toBe(0);
    expect(waitBeforeIssue({ ...issued(1, 1), lastIssuedAt: null }, now)).toBe(0);
  });
  it('is not sent after the fifth of a day, until the first of them is a day old', () => {
    const issued = { firstIssuedAt: ago(23 * 3_600_000), lastIssuedAt: ago(3_600_000), issuedToday: 5 };
    expect(waitBeforeIssue(issued, now)).toBe(3_600_000);
    expect(waitBeforeIssue({ ...issued, issuedToday: 6 }, now)).toBe(3_600_000);
  });
});
