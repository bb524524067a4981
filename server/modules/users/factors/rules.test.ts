import { describe, expect, it } from 'vitest';
import {
  factorRules,
  hasFactor,
  isRolledBack,
  passwordMark,
  relyingPartyOf,
  steppedUpUntil,
  stepsUpAtSignIn,
  stepUpWays,
  unaskedCents,
  waysOf,
} from './rules.ts';

const none = { authenticator: false, passkeys: 0, codesLeft: 0 };
const phone = { ...none, authenticator: true, codesLeft: 10 };

describe('what an account has on', () => {
  it.each([
    [none, false, []],
    // What is left over opens nothing by itself.
    [{ ...none, codesLeft: 3 }, false, []],
    [{ ...none, authenticator: true }, true, ['code']],
    [phone, true, ['code', 'recovery']],
    [{ ...none, passkeys: 1 }, true, ['passkey']],
    [{ authenticator: true, passkeys: 2, codesLeft: 1 }, true, ['passkey', 'code', 'recovery']],
  ])('%j', (held, on, ways) => {
    expect(hasFactor(held)).toBe(on);
    expect(waysOf(held)).toEqual(ways);
  });

  it('decides how a session steps up: by mail only where nothing is on', () => {
    expect(stepUpWays(none)).toEqual(['mail']);
    expect(stepUpWays({ ...none, codesLeft: 3 })).toEqual(['mail']);
    expect(stepUpWays(phone)).toEqual(['code', 'recovery']);
  });
});

describe('step-up', () => {
  const at = new Date('2026-11-15T09:00:00Z');
  const after = (ms: number) => new Date(at.getTime() + ms);

  it('counts for ten minutes, and not a moment longer', () => {
    expect(factorRules.stepUpMs).toBe(600_000);
    expect(steppedUpUntil(at, at)).toEqual(after(600_000));
    expect(steppedUpUntil(at, after(599_999))).toEqual(after(600_000));
    expect(steppedUpUntil(at, after(600_000))).toBeNull();
  });
  it('counts at once on a server whose clock is a little behind', () => {
    expect(steppedUpUntil(after(1), at)).toEqual(after(600_001));
    expect(steppedUpUntil(after(60_000), at)).toEqual(after(660_000));
  });
  it('does not count where there was none, or where it is said to be to come', () => {
    expect(steppedUpUntil(null, at)).toBeNull();
    expect(steppedUpUntil(after(60_001), at)).toBeNull();
  });
  it('comes with a passkey, which cannot be shown to a false page, and with nothing that is typed', () => {
    expect([stepsUpAtSignIn('passkey'), stepsUpAtSignIn('code'), stepsUpAtSignIn('recovery')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

it.each([
  [none, 50_000n, null],
  [phone, 0n, 0n],
  [phone, 50_000n, 50_000n],
])('of %j with a sum of %d so much may be on its way out unasked: %d', (held, above, unasked) => {
  expect(unaskedCents(held, above)).toBe(unasked);
});

it.each([
  [0n, 0n, false],
  [0n, 1n, false],
  [5n, 6n, false],
  [5n, 5n, true],
  [5n, 4n, true],
  [5n, 0n, true],
])('a counter that was %d and is %d has gone back: %s', (kept, shown, back) => {
  expect(isRolledBack(kept, shown)).toBe(back);
});

it('the mark of a password is that of no other, and not its hash', () => {
  expect(passwordMark('one')).toEqual(passwordMark('one'));
  expect(passwordMark('one')).not.toEqual(passwordMark('other'));
  expect(passwordMark('one').toString()).not.toContain('one');
  expect(passwordMark('one')).toHaveLength(32);
});

it.each([
  ['https://tally.example', 'tally.example', 'https://tally.example'],
  ['https://tally.example:8443', 'tally.example', 'https://tally.example:8443'],
  ['http://localhost:3000', 'localhost', 'http://localhost:3000'],
  // Browsers make no passkey for a number.
  ['http://127.0.0.1:3000', 'localhost', 'http://localhost:3000'],
  ['http://[::1]', 'localhost', 'http://localhost'],
])('passkeys of %s are for %s, on %s', (siteUrl, id, origin) => {
  expect(relyingPartyOf(siteUrl)).toEqual({ id, origins: [origin] });
});
