import { randomBytes } from 'node:crypto';
import { bech32 } from '@scure/base';
import type { Bounds } from '@tallystick/contract/bounds';
import { spelledTxid } from '@tallystick/contract/chain';
import type { Network } from '@tallystick/contract/networks';
import type { Context } from '../context.ts';
import { seedOffers } from '../demo/seed.ts';
import type { TestApp } from './start-app.ts';

export const operator = (id = 'operator-1') => ({ kind: 'operator', id }) as const;
export const goodAddress = {
  Bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  Ethereum: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  BnB: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  Ripple: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
} as const;

export interface Offers {
  plans: Record<string, string>;
  withdrawalMethods: Record<string, string>;
}

/** The demo's plans and methods, by their names. */
export async function withOffers(test: TestApp): Promise<Offers> {
  const { investment, withdrawal } = test.context;
  await seedOffers(test.context);
  return {
    plans: Object.fromEntries((await investment.plans()).map((plan) => [plan.planname, plan.id])),
    withdrawalMethods: Object.fromEntries(
      (await withdrawal.withdrawalMethods()).map((method) => [method.methodname, method.id]),
    ),
  };
}

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

/** An address on Bitcoin that nobody else has. */
export const newBitcoinAddress = (): string => bech32.encode('bc', [0, ...bech32.toWords(randomBytes(20))]);

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
