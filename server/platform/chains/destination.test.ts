import { expect, it } from 'vitest';
import { destinationOf } from './destination.ts';

it('is a script on Bitcoin, of the chain that is read', () => {
  const segwit = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  const match = '0014751e76e8199196d454941c45d1b3a323f1433bd6';
  expect(destinationOf('bitcoin', segwit, 'mainnet')).toEqual({ match });
  expect(destinationOf('bitcoin', segwit.toUpperCase(), 'mainnet')).toEqual({ match });
  const test = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
  expect(destinationOf('bitcoin', test, 'testnet')).toEqual({ match });
  expect(destinationOf('bitcoin', segwit, 'regtest')).toEqual({
    refusal: "This is not an address of Bitcoin's regtest.",
  });
  expect(destinationOf('bitcoin', test, 'mainnet')).toEqual({
    refusal: expect.stringContaining('test network'),
  });
  expect(destinationOf('bitcoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'mainnet')).toEqual({
    match: 'a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb87',
  });
});

it('is in small letters on EVM networks, and as it is on the XRP Ledger', () => {
  const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  expect(destinationOf('bnb', evm, 'mainnet')).toEqual({ match: evm.toLowerCase() });
  expect(destinationOf('ethereum', evm.replace('A', 'a'), 'mainnet')).toEqual({
    refusal: expect.stringContaining('checksum'),
  });
  const xrp = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
  expect(destinationOf('xrp', xrp, 'mainnet')).toEqual({ match: xrp });
  expect(destinationOf('xrp', evm, 'mainnet')).toEqual({ refusal: expect.stringContaining('Ethereum') });
});
