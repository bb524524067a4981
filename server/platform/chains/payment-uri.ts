import { type Network, type NetworkFacts, networks } from '@tallystick/contract/networks';
import { eip681 } from './evm/eip681.ts';
import { unitsToDecimal } from './units.ts';

export interface PaymentRequest {
  network: Network;
  address: string;
  /** Null asks for no particular amount. */
  units: bigint | null;
  /** XRP's destination tag. */
  tag: number | null;
  /** Of an EVM network. */
  chainId: number | null;
}

/** The text of a QR code that a wallet fills its form from: BIP21, EIP-681, and for XRP what wallets agree on. */
export function paymentUri({ network, address, units, tag, chainId }: PaymentRequest): string {
  const facts: NetworkFacts = networks[network];
  const amount = units === null ? null : unitsToDecimal(units, facts.coin.decimals);
  switch (facts.family) {
    case 'bitcoin':
      return uri(`${facts.scheme}:${address}`, { amount });
    case 'evm':
      if (chainId === null) throw new Error(`A payment on ${facts.name} names its chain`);
      return eip681({ address, chainId, units });
    case 'xrp':
      return uri(`xrp:${address}`, { amount, dt: tag });
  }
}

function uri(target: string, query: Record<string, string | number | null>): string {
  const given = Object.entries(query).filter(([, value]) => value !== null);
  return [target, given.map(([name, value]) => `${name}=${value}`).join('&')].filter(Boolean).join('?');
}
