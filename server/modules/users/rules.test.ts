import { describe, expect, it } from 'vitest';
import { codeHmac, emailKey, passwordRefusal, sessionIsAlive, waitBeforeIssue } from './rules.ts';

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
  it('is not sent after the fifth of a day, until the first of them is a day old', () => {
    const issued = { firstIssuedAt: ago(23 * 3_600_000), lastIssuedAt: ago(3_600_000), issuedToday: 5 };
    expect(waitBeforeIssue(issued, now)).toBe(3_600_000);
  });
});
