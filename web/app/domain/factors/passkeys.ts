import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '@tallystick/contract/factors';
import type { z } from 'zod';
import { logFailure } from '../../log.ts';
import { NotSent } from '../forms/submission.tsx';

/** As `native/passkeys.ts` found it. */
export const hasPasskeys = () => 'passkeys' in document.documentElement.dataset;

/** A passkey belongs to a name, and a demo is mostly opened by its number. */
export function whyNoPasskeys(path: string): string | null {
  if (hasPasskeys()) return null;
  const { hostname, port } = location;
  return hostname === '127.0.0.1' && 'PublicKeyCredential' in window
    ? `A passkey belongs to a name, not to a number: open http://localhost:${port}${path} to try it.`
    : 'This browser has no passkeys.';
}

/** What talks to the browser's passkeys is fetched when one is about to be used. */
export const fetchPasskeys = () => import('@simplewebauthn/browser');

/** JSON has no `undefined`, which is all that its types and ours differ in. */
type Options<K extends 'startAuthentication' | 'startRegistration'> = Parameters<
  Awaited<ReturnType<typeof fetchPasskeys>>[K]
>[0]['optionsJSON'];

/** What browsers tell of extensions is read by nobody and stays here. */
export function showPasskey(request: PasskeyRequest): Promise<z.input<typeof PasskeyAssertion>> {
  return orNotSent(async () => {
    const { startAuthentication } = await fetchPasskeys();
    const optionsJSON = request as Options<'startAuthentication'>;
    const { clientExtensionResults: _, ...shown } = await startAuthentication({ optionsJSON });
    return shown;
  });
}

export function makePasskey(creation: PasskeyCreation): Promise<z.input<typeof PasskeyAttestation>> {
  return orNotSent(async () => {
    const { startRegistration } = await fetchPasskeys();
    const optionsJSON = creation as Options<'startRegistration'>;
    const { clientExtensionResults: _, ...made } = await startRegistration({ optionsJSON });
    return made;
  });
}

/** Browsers do not tell whether somebody pressed Cancel, had no passkey or took too long: that is nobody's business. */
const reasons: Partial<Record<string, string>> = {
  NotAllowedError: 'The browser gave no passkey: it was cancelled, took too long, or there is none here.',
  InvalidStateError: 'This device already has a passkey of this account.',
};

async function orNotSent<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const why = reasons[(error as Error).name];
    if (!why) logFailure('A passkey could not be used:', error);
    throw new NotSent(why ?? 'The browser could not use a passkey. Please try again.');
  }
}
