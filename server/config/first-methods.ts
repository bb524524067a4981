import { type Network, networkIds, networks } from '@tallystick/contract/networks';
import { addressRefusal } from '../platform/address.ts';
import { accountKeyRefusal } from '../platform/chains/account-key.ts';
import type { Env } from './env.ts';

/** How a network is paid on, as whoever installs the server says; an operator changes it later. */
export interface FirstMethod {
  network: Network;
  /** An account key, or on the XRP Ledger an address; null when the environment says nothing of it. */
  payTo: string | null;
  confirmations: number | null;
}

const names = {
  bitcoin: ['BITCOIN_XPUB', 'CONFIRMATIONS_BITCOIN'],
  ethereum: ['ETHEREUM_XPUB', 'CONFIRMATIONS_ETHEREUM'],
  bnb: ['BNB_XPUB', 'CONFIRMATIONS_BNB'],
  xrp: ['XRP_ADDRESS', 'CONFIRMATIONS_XRP'],
} as const satisfies Record<Network, readonly [keyof Env, keyof Env]>;

function refusalOf(network: Network, payTo: string, { BITCOIN_NETWORK }: Env): string | null {
  const { family } = networks[network];
  if (family === 'xrp') return addressRefusal(network, payTo);
  return accountKeyRefusal(payTo, family === 'bitcoin' ? { family, network: BITCOIN_NETWORK } : { family });
}

export function firstMethodsOf(env: Env): FirstMethod[] {
  return networkIds.flatMap((network) => {
    const [payToName, confirmationsName] = names[network];
    const payTo = env[payToName] ?? null;
    const confirmations = env[confirmationsName] ?? null;
    const refusal = payTo === null ? null : refusalOf(network, payTo, env);
    if (refusal) throw new Error(`${payToName} cannot be used. ${refusal}`);
    return payTo === null && confirmations === null ? [] : [{ network, payTo, confirmations }];
  });
}
