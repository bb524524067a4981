import { expect, it } from 'vitest';
import { explorerOf } from './explorer.ts';

const real = { bitcoinNetwork: 'mainnet', chainIds: { ethereum: 1, bnb: 56 } } as const;
const tests = { bitcoinNetwork: 'regtest', chainIds: { ethereum: 31_337, bnb: 97, xrp: 1 } } as const;

it('a transaction of a real chain can be looked up, one of a test chain nowhere', () => {
  expect(explorerOf('bitcoin', 'ab', real)).toBe('https://mempool.space/tx/ab');
  expect(explorerOf('ethereum', '0xab', real)).toBe('https://etherscan.io/tx/0xab');
  expect(explorerOf('bnb', '0xab', real)).toBe('https://bscscan.com/tx/0xab');
  expect(explorerOf('xrp', 'AB', real)).toBe('https://livenet.xrpl.org/transactions/AB');
  for (const network of ['bitcoin', 'ethereum', 'bnb', 'xrp'] as const) {
    expect(explorerOf(network, 'ab', tests)).toBeNull();
  }
});
