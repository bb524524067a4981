import { randomUUID } from 'node:crypto';
import * as calls from '@tallystick/contract/addresses';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { call, tryCall } from '../call.ts';
import { type Offers, withdrawalForm } from '../money.ts';
import type { SignedIn } from '../people.ts';
import type { TestApp } from '../start-app.ts';

/** On Ethereum, and nobody's own. */
export const freshAddress = '0xde709f2102306220921060314715629080e2fb77';

export const save = (test: TestApp, as: SignedIn, address: string) =>
  tryCall(test, calls.saveaddress, { as, body: { label: 'Mine', network: 'ethereum', address } });

export const protect = (test: TestApp, as: SignedIn) => call(test, calls.protectaddresses, { as });

export const bookOf = (test: TestApp, as: SignedIn) => call(test, calls.savedaddresses, { as });

export function withdrawTo(
  { test, offers, as }: { test: TestApp; offers: Offers; as: SignedIn },
  withdrawaladdress: string,
  key: string = randomUUID(),
) {
  const to = { withdrawalid: offers.withdrawalMethods.Ethereum, withdrawaladdress, withdrawalamount: 10 };
  const body = withdrawalForm({ offers, who: as }, to);
  return tryCall(test, makenewwithdrawal, { body, as, key });
}

/** The token of the last link that was mailed to stop something. */
export async function linkIn(
  test: TestApp,
  { email }: SignedIn,
  what: 'address' | 'protection',
): Promise<string> {
  for (const { text } of await test.mailbox.letters(email)) {
    const token = new RegExp(`/stopchange#${what}=([\\w-]{22})`).exec(text)?.[1];
    if (token) return token;
  }
  throw new Error('no such link was mailed');
}

export const stop = (test: TestApp, what: 'address' | 'protection', token: string) =>
  tryCall(test, calls.stopchange, { body: { what, token } });
