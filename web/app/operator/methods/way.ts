import { isReadable, type Network, networks } from '@tallystick/contract/networks';
import { AccountKey, PaymentAddress, type PaymentSource } from '@tallystick/contract/operator/methods';
import { z } from 'zod';

/** The ways in which a network can tell its payers apart: by addresses of their own, by tags, or not at all. */
export function sourcesOf(network: Network | null): readonly PaymentSource[] {
  if (!network || !isReadable(network)) return ['fixed'];
  return networks[network].family === 'xrp' ? ['fixed', 'tagged'] : ['fixed', 'derived'];
}

/** Only what the source asks for has to be filled in. */
export const wayFields = (source: PaymentSource) =>
  source === 'derived'
    ? { paymentaddress: z.string(), key: AccountKey }
    : { paymentaddress: PaymentAddress, key: z.string() };

export const wayOf = (source: PaymentSource, typed: { paymentaddress: string; key: string }) =>
  source === 'derived' ? { source, key: typed.key } : { source, paymentaddress: typed.paymentaddress };

/** Nobody asks for a key whose addresses they could not compare. */
export const notCompared = 'Wait for its first addresses, and compare them with your hardware wallet.';
