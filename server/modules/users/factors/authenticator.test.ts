import { describe, expect, it } from 'vitest';
import {
  newRecoveryCodes,
  newTotpSecret,
  recoveryCodeHash,
  stepOf,
  totpAt,
  totpUri,
} from './authenticator.ts';

// The secret and the times of RFC 6238, appendix B; of its codes the last six digits.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1000);

it.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1234567890, '005924'],
  [2000000000, '279037'],
])('the code of second %d is that of the standard', (seconds, code) => {
  expect(totpAt(secret, at(seconds))).toBe(code);
});

describe('a code', () => {
  const step = 1_234_567_890n / 30n;
  const codeAt = (seconds: number) => totpAt(secret, at(1_234_567_890 + seconds));
  const used = (code: string, lastStep = 0n) => stepOf({ secret, code, now: at(1_234_567_890), lastStep });

  it('counts in its own half minute, the one before and the one after', () => {
    expect([used(codeAt(-30)), used(codeAt(0)), used(codeAt(30))]).toEqual([step - 1n, step, step + 1n]);
    expect([used(codeAt(-60)), used(codeAt(60))]).toEqual([null, null]);
  });
  it('counts once, and none before it any more', () => {
    expect(used(codeAt(0), step)).toBeNull();
    expect(used(codeAt(-30), step)).toBeNull();
    expect(used(codeAt(0), step - 1n)).toBe(step);
    expect(used(codeAt(30), step)).toBe(step + 1n);
  });
  it.each(['', '000000', '00592', '0059240', 'abcdef'])('is not %j', (code) => {
    expect(used(code)).toBeNull();
  });
});

it('a new secret has 160 bits and is never the same', () => {
  const secrets = [newTotpSecret(), newTotpSecret()];
  for (const each of secrets) expect(each).toMatch(/^[A-Z2-7]{32}$/);
  expect(secrets[0]).not.toBe(secrets[1]);
});

it('an authenticator app reads whose it is from the QR code', () => {
  const uri = new URL(totpUri(secret, { issuer: 'Tallystick', label: 'ann@example.com' }));
  expect(uri.href).toContain('otpauth://totp/Tallystick:ann');
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret, issuer: 'Tallystick', period: '30' });
});

describe('recovery codes', () => {
  it('are ten, of sixteen characters that cannot be mistaken', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[2-9a-hj-km-np-tv-z]{4}(-[2-9a-hj-km-np-tv-z]{4}){3}$/);
  });
  it('use every character there is', () => {
    const used = new Set(Array.from({ length: 20 }, newRecoveryCodes).flat().join(''));
    expect([...used].sort().join('')).toBe('-23456789abcdefghjkmnpqrstvwxyz');
  });
  it('are known again however they are typed', () => {
    const hash = recoveryCodeHash('abcd-efgh-jkmn-2345');
    for (const typed of ['ABCDEFGHJKMN2345', ' abcd efgh jkmn 2345 ', 'abcd–efgh–jkmn–2345'])
      expect(recoveryCodeHash(typed)).toEqual(hash);
    for (const other of ['abcd-efgh-jkmn-2346', 'abce-efgh-jkmn-2345'])
      expect(recoveryCodeHash(other)).not.toEqual(hash);
  });
});
