import { bytesToHex } from '@noble/hashes/utils.js';
import { Address, OutScript } from '@scure/btc-signer';
import { type Network, networks } from '@tallystick/contract/networks';
import { addressRefusal } from '../address.ts';
import { type BitcoinNetwork, bitcoinParams } from './bitcoin/params.ts';

/** An address as its chain has it, which is how `Watched` knows it; or why it is none, in words for who typed it. */
export function destinationOf(
  network: Network,
  address: string,
  bitcoinNetwork: BitcoinNetwork,
): { match: string } | { refusal: string } {
  const { family } = networks[network];
  if (family === 'bitcoin') {
    try {
      return { match: bytesToHex(OutScript.encode(Address(bitcoinParams[bitcoinNetwork]).decode(address))) };
    } catch {
      const isMain = bitcoinNetwork === 'mainnet';
      const refusal = isMain ? addressRefusal(network, address) : null;
      return { refusal: refusal ?? `This is not an address of Bitcoin's ${bitcoinNetwork}.` };
    }
  }
  const refusal = addressRefusal(network, address);
  if (refusal) return { refusal };
  return { match: family === 'evm' ? address.toLowerCase() : address };
}
