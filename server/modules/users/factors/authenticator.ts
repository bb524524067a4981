import { randomInt } from 'node:crypto';
import { totpSeconds } from '@tallystick/contract/operator/session';
import { Secret, TOTP } from 'otpauth';
import { sha256 } from '../rules.ts';

/** A secret of the length that RFC 4226 recommends. */
const secretBytes = 20;
/** A code of the step before or after counts, too: clocks differ and people type slowly. */
const stepsAround = 1;

const totpOf = (secret: string, names?: { issuer: string; label: string }) =>
  new TOTP({ ...names, period: totpSeconds, secret: Secret.fromBase32(secret) });

export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** What an authenticator app reads from the QR code. */
export function totpUri(secret: string, names: { issuer: string; label: string }): string {
  return totpOf(secret, names).toString();
}

export function totpAt(secret: string, now: Date): string {
  return totpOf(secret).generate({ timestamp: now.getTime() });
}

/** The time step whose code this is; null when it is none of now, or its step was used before. */
export function stepOf(input: { secret: string; code: string; now: Date; lastStep: bigint }): bigint | null {
  const { secret, code, now, lastStep } = input;
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: stepsAround });
  if (delta === null) return null;
  const step = BigInt(TOTP.counter({ period: totpSeconds, timestamp }) + delta);
  return step > lastStep ? step : null;
}

const recoveryCodeCount = 10;
const recoveryAlphabet = '23456789abcdefghjkmnpqrstvwxyz';

/** Sixteen characters in groups of four: too many to try, few enough to write down. */
export function newRecoveryCodes(): string[] {
  const group = () =>
    Array.from({ length: 4 }, () => recoveryAlphabet[randomInt(recoveryAlphabet.length)]).join('');
  return Array.from({ length: recoveryCodeCount }, () => [group(), group(), group(), group()].join('-'));
}

/** However it was typed: with or without its dashes, in capitals or not. */
export function recoveryCodeHash(code: string): Buffer {
  return sha256(code.toLowerCase().replace(/[^0-9a-z]/g, ''));
}
