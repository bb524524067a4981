import { type Network, networkIds, networks } from '@tallystick/contract/networks';
import { addressRefusal } from '../platform/address.ts';
import { accountKeyRefusal } from '../platform/chains/account-key.ts';
import { confirmationsOf, type Env, ofNetwork } from './env.ts';

/** How a network is paid on, as whoever installs the server says; an operator changes it later. */
export interface FirstMethod {
  network: Network;
  /** An account key, or where tags tell investors apart an address; null when the environment says nothing of it. */
  payTo: string | null;
  confirmations: number | null;
}

function refusalOf(network: Network, payTo: string, { BITCOIN_NETWORK }: Env): string | null {
  const { family } = networks[network];
  if (family === 'xrp') return addressRefusal(network, payTo);
  const kind = family === 'bitcoin' ? { family, network: BITCOIN_NETWORK } : { family };
  return accountKeyRefusal(network, payTo, kind);
}

export function firstMethodsOf(env: Env): FirstMethod[] {
  return networkIds.flatMap((network) => {
    const payToName = ofNetwork(network, networks[network].family === 'xrp' ? 'ADDRESS' : 'XPUB');
    const payTo = env[payToName] ?? null;
    const confirmations = env[confirmationsOf(network)] ?? null;
    const refusal = payTo === null ? null : refusalOf(network, payTo, env);
    if (refusal) throw new Error(`${payToName} cannot be used. ${refusal}`);
    return payTo === null && confirmations === null ? [] : [{ network, payTo, confirmations }];
  });
}
