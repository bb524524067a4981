import { randomBytes } from 'node:crypto';
import { bech32 } from '@scure/base';
import type { Bounds } from '@tallystick/contract/bounds';
import { spelledTxid } from '@tallystick/contract/chain';
import type { Network } from '@tallystick/contract/networks';
import type { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import type { Context } from '../context.ts';
import { seedOffers } from '../demo/seed.ts';
import type { Asking } from './call.ts';
import type { TestApp } from './start-app.ts';

export const operator = (id = 'operator-1') => ({ kind: 'operator', id }) as const;
export const goodAddress = {
  Bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  Ethereum: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  BnB: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  Ripple: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
} as const;

export interface Offers {
  plans: { Starter: string; Standard: string; Reserve: string };
  withdrawalMethods: Record<keyof typeof goodAddress, string>;
}

/** The demo's plans and methods, by their names. */
export async function withOffers(test: TestApp): Promise<Offers> {
  await seedOffers(test.context);
  const plans = (await test.context.investment.plans()).map(({ planname, id }) => [planname, id]);
  const methods = await test.context.withdrawal.withdrawalMethods();
  return {
    plans: Object.fromEntries(plans),
    withdrawalMethods: Object.fromEntries(
      methods.map(({ methodname, id }) => [methodname, id]),
    ) as Offers['withdrawalMethods'],
  };
}

interface Filled {
  offers: Offers;
  who: { userid: string };
}

/** The form of a withdrawal, filled in but for what a test is about. */
export const withdrawalForm = (
  { offers, who }: Filled,
  change: Partial<Asking<typeof makenewwithdrawal>['body']> = {},
) => ({
  userid: who.userid,
  withdrawalid: offers.withdrawalMethods.Bitcoin,
  withdrawalamount: 100,
  withdrawaladdress: goodAddress.Bitcoin,
  ...change,
});

/** A correction that one operator asks for and another posts. */
export function correcting({ ledger }: Pick<Context, 'ledger'>) {
  return async (wanted: {
    userId: string;
    amountCents: bigint;
    reason: string;
    idempotencyKey?: string | null;
  }): Promise<{ transactionid: string | null }> => {
    const { userId, amountCents, reason, idempotencyKey = null } = wanted;
    const asked = { userId, amountCents, reason, idempotencyKey, actor: operator('operator-1') };
    const { correctionId } = await ledger.proposeCorrection(asked);
    return ledger.confirmCorrection({ correctionId, actor: operator('operator-2'), idempotencyKey });
  };
}

/** The id of a payment that nobody has made yet, as a network writes it. */
export function newTxid(network: Network = 'bitcoin'): string {
  const digits = randomBytes(32).toString('hex');
  return spelledTxid(network, digits) ?? `0x${digits}`;
}

/** An address on Bitcoin, or on its test network, that nobody else has. */
export const newBitcoinAddress = (prefix: 'bc' | 'bcrt' = 'bc'): string =>
  bech32.encode(prefix, [0, ...bech32.toWords(randomBytes(20))]);

/** A confirmed deposit, asked for by the investor and confirmed by an operator, or by two where one is not enough. */
export async function deposit(test: TestApp, userId: string, dollars: number): Promise<void> {
  const { funding } = test.context;
  const amountCents = BigInt(Math.round(dollars * 100));
  const request = await funding.askForFunding({
    userId,
    paymentname: 'Bitcoin',
    amountCents,
    idempotencyKey: null,
  });
  const payment = { receivedCents: amountCents, chainTxid: newTxid(), chainOutput: 0 };
  for (const actor of [operator('operator-1'), operator('operator-2')]) {
    const confirmation = { requestId: request.id, ...payment, actor, idempotencyKey: null };
    if ((await funding.confirmFunding(confirmation)).status === 'confirmed') return;
  }
}

/** Other bounds, asked for by one operator and agreed to by another. */
export async function setBounds({ bounds }: Pick<Context, 'bounds'>, change: Partial<Bounds>): Promise<void> {
  const wanted = { ...(await bounds.bounds()), ...change };
  await bounds.proposeBounds({ bounds: wanted, actor: operator('operator-1') });
  const id = (await bounds.waitingBounds())?.id ?? '';
  await bounds.agreeBounds({ id, actor: operator('operator-2') });
}
