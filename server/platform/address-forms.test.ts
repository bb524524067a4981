import { sha256 } from '@noble/hashes/sha2.js';
import { bech32m, createBase58check } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { addressRefusal } from './address.ts';

const wrong = (name: string) => `This is not a valid ${name} address: a character may be missing or wrong. `;
const notBitcoin = `${wrong('Bitcoin')}Bitcoin starts with bc1, 1 or 3.`;
const testBitcoin = 'This is an address of a test network. Bitcoin starts with bc1, 1 or 3.';
const notXrp = `${wrong('XRP Ledger')}XRP Ledger starts with r.`;

describe('on a test network of Bitcoin', () => {
  const [key, script, segwit] = [
    'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
    '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc',
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  ];
  const regtest = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

  it('its own addresses are taken, and those of other Bitcoin networks are not', () => {
    for (const address of [key, script, segwit])
      expect(addressRefusal('bitcoin', address, 'testnet')).toBeNull();
    for (const address of [key, script, regtest])
      expect(addressRefusal('bitcoin', address, 'regtest')).toBeNull();
    expect(addressRefusal('bitcoin', regtest)).toBe(testBitcoin);
    expect(addressRefusal('bitcoin', regtest, 'testnet')).toBe(
      "This is not a valid Bitcoin address: a character may be missing or wrong. Bitcoin's testnet starts with tb1.",
    );
    for (const address of [
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    ])
      expect(addressRefusal('bitcoin', address, 'regtest')).toBe(
        "This is not a valid Bitcoin address: a character may be missing or wrong. Bitcoin's regtest starts with bcrt1.",
      );
  });
  it('the other networks are as they were', () => {
    expect(addressRefusal('xrp', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'regtest')).toBeNull();
    expect(addressRefusal('xrp', 'nonsense', 'regtest')).toBe(notXrp);
    expect(addressRefusal('ethereum', segwit, 'testnet')).toContain('test network. Ethereum starts with 0x.');
  });
});

it('base58 is of 21 bytes, whatever its checksum says', () => {
  for (const length of [19, 21, 32]) {
    const address = createBase58check(sha256).encode(Uint8Array.of(0, ...Array(length).fill(7)));
    expect(addressRefusal('bitcoin', address)).toBe(notBitcoin);
  }
});

it('a segwit program has two to forty bytes', () => {
  const program = (version: number, length: number) =>
    bech32m.encode('bc', [version, ...bech32m.toWords(Uint8Array.from(Array(length).fill(7)))]);
  const refusals = [1, 2, 40, 41].map((length) => addressRefusal('bitcoin', program(2, length)));
  expect(refusals).toEqual([notBitcoin, null, null, notBitcoin]);
  expect(addressRefusal('bitcoin', program(17, 32))).toBe(notBitcoin);
  expect(addressRefusal('bitcoin', program(16, 32))).toBeNull();
});
