import { networks } from '@tallystick/contract/networks';

export type BitcoinNetwork = 'mainnet' | 'testnet' | 'regtest';

/** What tells Bitcoin's networks apart, in the words of `@scure/btc-signer` where it has some. */
export interface BitcoinParams {
  bech32: string;
  pubKeyHash: number;
  scriptHash: number;
  wif: number;
  /** Its number in the path of a key (SLIP-44). */
  coinType: number;
  /** The first block of each chain that goes by this name: the test network was begun anew several times. */
  genesis: readonly string[];
  /**
   * How many zeros the hash of a new block begins with, at the least: the work of miners. On the main network none has
   * had fewer than 19 for years, and whoever makes up a block with 18 pays thousands of dollars for it.
   */
  hashZeros: number;
}

const {
  prefix,
  versions: [pubKeyHash, scriptHash],
} = networks.bitcoin.address;
const test = { pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef, coinType: 1, hashZeros: 0 };

export const bitcoinParams: Record<BitcoinNetwork, BitcoinParams> = {
  mainnet: {
    bech32: prefix,
    pubKeyHash,
    scriptHash,
    wif: 0x80,
    coinType: 0,
    hashZeros: 18,
    genesis: ['000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'],
  },
  testnet: {
    ...test,
    bech32: 'tb',
    genesis: [
      '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
      '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
    ],
  },
  regtest: {
    ...test,
    bech32: 'bcrt',
    genesis: ['0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'],
  },
};
