import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { Address, OutScript } from '@scure/btc-signer';
import { isReadable, type Network, networks } from '@tallystick/contract/networks';
import { checksummed } from '../address.ts';
import { type BitcoinNetwork, bitcoinParams } from './bitcoin/params.ts';

/** An address as its chain has it, which is the key of a destination in `chain.ts`; null when it is none, or is on none that is read. */
export function destinationKey(
  network: Network,
  address: string,
  bitcoinNetwork: BitcoinNetwork,
): string | null {
  if (networks[network].family === 'evm') return address.toLowerCase();
  if (networks[network].family === 'xrp') return address;
  if (!isReadable(network)) return null;
  try {
    return bytesToHex(OutScript.encode(Address(bitcoinParams[bitcoinNetwork]).decode(address)));
  } catch {
    return null;
  }
}

/** The other way round; a script that no address stands for is shown as it is. */
export function addressOfKey(network: Network, key: string, bitcoinNetwork: BitcoinNetwork): string {
  if (networks[network].family === 'evm') return checksummed(key);
  if (networks[network].family === 'xrp') return key;
  try {
    return Address(bitcoinParams[bitcoinNetwork]).encode(OutScript.decode(hexToBytes(key)));
  } catch {
    return `script ${key}`;
  }
}
