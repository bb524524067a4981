import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import type { Network } from '@tallystick/contract/networks';
import fc from 'fast-check';
import { encodeAccountID } from 'ripple-address-codec';
import { describe, expect, it } from 'vitest';
import { addressRefusal } from './address.ts';

const taken = {
  'pay to a key': ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  'pay to a key, another': ['bitcoin', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  'pay to a script': ['bitcoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  'pay to a script, another': ['bitcoin', '3P14159f73E4gFr7JterCCQh9QjiTjiZrG'],
  'bech32 of 20 bytes (BIP173)': ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  'the same in capitals, as QR codes have it': ['bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  'bech32 of 32 bytes (BIP173)': [
    'bitcoin',
    'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
  ],
  'taproot (BIP350)': ['bitcoin', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  'version 2, 16 bytes (BIP350)': ['bitcoin', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs'],
  'version 16, two bytes (BIP350)': ['bitcoin', 'BC1SW50QGDZ25J'],
  'EIP-55, mixed 1': ['ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  'EIP-55, mixed 2': ['ethereum', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
  'EIP-55, mixed 3': ['ethereum', '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'],
  'EIP-55, mixed 4': ['ethereum', '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'],
  'EIP-55, all capitals 1': ['ethereum', '0x52908400098527886E0F7030069857D2E4169EE7'],
  'EIP-55, all capitals 2': ['ethereum', '0x8617E340B3D01FA5F11F306F4090FD50E238070D'],
  'EIP-55, all small 1': ['ethereum', '0xde709f2102306220921060314715629080e2fb77'],
  'EIP-55, all small 2': ['ethereum', '0x27b1fdb04752bbc536007a920d24acb045561c26'],
  'mixed in EIP-55, all small': ['ethereum', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  'mixed in EIP-55, all capitals': ['ethereum', '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED'],
  'EIP-55 on BNB Smart Chain': ['bnb', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  'all small on BNB Smart Chain': ['bnb', '0xde709f2102306220921060314715629080e2fb77'],
  'the first account of the XRP Ledger': ['xrp', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
  'another account of the XRP Ledger': ['xrp', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59'],
  'a short one, of 26 characters': ['xrp', 'rrrrrrrrrrrrrrrrrrrrBZbvji'],
} satisfies Record<string, [Network, string]>;

describe('an address is taken', () => {
  it.each(Object.entries(taken))('%s', (_name, [network, address]) => {
    expect(addressRefusal(network, address)).toBeNull();
  });
});

const bitcoinExpected = 'Bitcoin starts with bc1, 1 or 3.';
const notBitcoin = `This is not a valid Bitcoin address: a character may be missing or wrong. ${bitcoinExpected}`;
const testBitcoin = `This is an address of a test network. ${bitcoinExpected}`;
const capitals = 'The capitals in this address do not match its checksum. Copy it again.';
const classic = 'Use the classic form of the address. XRP Ledger starts with r.';
const notXrp =
  'This is not a valid XRP Ledger address: a character may be missing or wrong. XRP Ledger starts with r.';

const refused: [string, Network, string, string][] = [
  ['base58 with a wrong checksum', 'bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', notBitcoin],
  ['base58 that is too short', 'bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf', notBitcoin],
  ['base58 in small letters', 'bitcoin', '1a1zp1ep5qgefi2dmptftl5slmv7divfna', notBitcoin],
  ['bech32 with a wrong checksum', 'bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', notBitcoin],
  ['version 0 under bech32m', 'bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', notBitcoin],
  [
    'version 1 under bech32',
    'bitcoin',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    notBitcoin,
  ],
  [
    'version 16 under bech32',
    'bitcoin',
    'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL',
    notBitcoin,
  ],
  [
    'witness version 17',
    'bitcoin',
    'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
    notBitcoin,
  ],
  [
    'a letter that bech32 does not have',
    'bitcoin',
    'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
    notBitcoin,
  ],
  ['mixed case', 'bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4', notBitcoin],
  ['a capital prefix alone', 'bitcoin', 'BC1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', notBitcoin],
  ['a program of 16 bytes in version 0', 'bitcoin', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', notBitcoin],
  ['a program of one byte', 'bitcoin', 'bc1pw5dgrnzv', notBitcoin],
  [
    'a program of 41 bytes',
    'bitcoin',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
    notBitcoin,
  ],
  [
    'a taproot program of 40 bytes',
    'bitcoin',
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    notBitcoin,
  ],
  [
    'too much padding',
    'bitcoin',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf',
    notBitcoin,
  ],
  ['no data at all', 'bitcoin', 'bc1gmk9yu', notBitcoin],
  ['another coin of bech32', 'bitcoin', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', notBitcoin],
  ['test network, bech32', 'bitcoin', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', testBitcoin],
  ['test network, pay to a key', 'bitcoin', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', testBitcoin],
  ['test network, pay to a script', 'bitcoin', '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', testBitcoin],
  ['longer than any of a test network', 'bitcoin', `2${'M'.repeat(35)}`, notBitcoin],
  [
    'an X-address of another network',
    'bitcoin',
    'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ',
    notBitcoin,
  ],
  [
    'a wrong capital behind the word of a link',
    'ethereum',
    'ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
    'Ethereum starts with 0x.',
  ],
  ['a wrong capital', 'ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', capitals],
  ['a wrong capital', 'bnb', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', capitals],
  ['one digit short', 'ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'Ethereum starts with 0x.'],
  [
    'one digit too many',
    'bnb',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0',
    'BNB Smart Chain starts with 0x.',
  ],
  ['no 0x', 'ethereum', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'Ethereum starts with 0x.'],
  ['a capital X', 'ethereum', '0XDE709F2102306220921060314715629080E2FB77', 'Ethereum starts with 0x.'],
  ['a letter beyond f', 'ethereum', '0xge709f2102306220921060314715629080e2fb77', 'Ethereum starts with 0x.'],
  ['a name instead of an address', 'ethereum', 'vitalik.eth', 'Ethereum starts with 0x.'],
  ['a wrong checksum', 'xrp', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi', notXrp],
  ['a secret instead of an address', 'xrp', 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb', notXrp],
  ['an X-address without a tag', 'xrp', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ', classic],
  ['an X-address with a tag', 'xrp', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu', classic],
];

describe('an address is refused', () => {
  it.each(refused)('%s (%s)', (_name, network, address, words) => {
    expect(addressRefusal(network, address)).toContain(words);
  });

  it.each(['bitcoin', 'ethereum', 'bnb', 'xrp'] as const)('when it is empty or not one (%s)', (network) => {
    for (const nothing of ['', '0', '0x', 'bc1', 'r', '-', '\u0000', '🪙', "'; drop table withdrawals; --"]) {
      expect(addressRefusal(network, nothing)).toMatch(/starts with/);
    }
  });

  it.each(Object.values(taken))(
    'with a space anywhere, and the person is told (%s %s)',
    (network, address) => {
      const middle = address.length / 2;
      const spaced = [` ${address}`, `${address} `, `${address}\n`, `\t${address}`, `${address}\u00a0`];
      for (const text of [...spaced, `${address.slice(0, middle)} ${address.slice(middle)}`]) {
        expect(addressRefusal(network, text)).toMatch(/^Take the spaces out of the address\. /);
      }
    },
  );

  it('when it is very long, in no time', () => {
    const begun = performance.now();
    for (const network of ['bitcoin', 'ethereum', 'bnb', 'xrp'] as const) {
      for (const letter of ['1', 'q', 'r', 'a', '0']) {
        expect(addressRefusal(network, letter.repeat(120))).not.toBeNull();
        expect(addressRefusal(network, `bc1${letter.repeat(20_000)}`)).not.toBeNull();
      }
    }
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  it.each([
    ['a Cyrillic с', 'bitcoin', 'bс1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['a Cyrillic А', 'bitcoin', '1А1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['the sign of kelvin for K', 'bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7\u212aV8F3T4'],
    ['a long s', 'bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'.replace('5', '\u017f')],
    ['a full-width digit', 'ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe\uff44'],
    ['a zero-width space', 'ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\u200b'],
    ['text that runs backwards', 'bnb', '\u202e0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a Cyrillic г', 'xrp', 'гHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
    ['an accent of its own', 'xrp', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh\u0301'],
  ] satisfies [string, Network, string][])('with a look-alike in it: %s', (_name, network, address) => {
    expect(addressRefusal(network, address)).not.toBeNull();
  });
});

describe('an address of another network', () => {
  const ether = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const coin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
  const ripple = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';

  it.each([
    ['bitcoin', ether, 'This looks like an Ethereum address. Bitcoin starts with bc1, 1 or 3.'],
    ['bitcoin', ripple, 'This looks like an XRP Ledger address. Bitcoin starts with bc1, 1 or 3.'],
    ['ethereum', coin, 'This looks like a Bitcoin address. Ethereum starts with 0x.'],
    ['bnb', coin, 'This looks like a Bitcoin address. BNB Smart Chain starts with 0x.'],
    ['bnb', ripple, 'This looks like an XRP Ledger address. BNB Smart Chain starts with 0x.'],
    ['xrp', ether, 'This looks like an Ethereum address. XRP Ledger starts with r.'],
    ['xrp', coin, 'This looks like a Bitcoin address. XRP Ledger starts with r.'],
  ] satisfies [Network, string, string][])('is named (%s, %s)', (network, address, words) => {
    expect(addressRefusal(network, address)).toBe(words);
  });
});

const base58check = createBase58check(sha256);
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const bech32Letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const segwit = (coder: typeof bech32, version: number, length: number) =>
  bytes(length).map((program) => coder.encode('bc', [version, ...coder.toWords(program)]));
const base58Bitcoin = (version: number) =>
  bytes(20).map((hash) => base58check.encode(Uint8Array.of(version, ...hash)));

function eip55(digits: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  return `0x${[...digits].map((digit, n) => (Number.parseInt(hash[n] ?? '', 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`;
}

const forms: [string, Network, fc.Arbitrary<string>, string][] = [
  ['pay to a key', 'bitcoin', base58Bitcoin(0), base58],
  ['pay to a script', 'bitcoin', base58Bitcoin(5), base58],
  ['bech32, 20 bytes', 'bitcoin', segwit(bech32, 0, 20), bech32Letters],
  ['bech32, 32 bytes', 'bitcoin', segwit(bech32, 0, 32), bech32Letters],
  ['taproot', 'bitcoin', segwit(bech32m as typeof bech32, 1, 32), bech32Letters],
  ['classic', 'xrp', bytes(20).map((account) => encodeAccountID(account)), base58],
];

describe('any address with a checksum', () => {
  it.each(forms)(
    'is taken, and refused with any one character changed: %s',
    (_name, network, address, letters) => {
      const change = fc.tuple(address, fc.nat(), fc.nat());
      fc.assert(
        fc.property(change, ([right, place, letter]) => {
          expect(addressRefusal(network, right)).toBeNull();
          const at = place % right.length;
          const others = letters.replace(right[at] ?? '', '');
          const wrong = right.slice(0, at) + others[letter % others.length] + right.slice(at + 1);
          expect(addressRefusal(network, wrong), wrong).not.toBeNull();
        }),
        { numRuns: 300 },
      );
    },
  );

  it('is refused with two neighbours swapped or one character missing', () => {
    for (const [network, address] of Object.values(taken).filter(
      ([network]) => !['ethereum', 'bnb'].includes(network),
    )) {
      for (let at = 0; at < address.length - 1; at += 1) {
        const [left = '', right = ''] = [address[at], address[at + 1]];
        const swapped = address.slice(0, at) + right + left + address.slice(at + 2);
        if (left !== right) expect(addressRefusal(network, swapped), swapped).not.toBeNull();
        const shorter = address.slice(0, at) + address.slice(at + 1);
        expect(addressRefusal(network, shorter), shorter).not.toBeNull();
      }
    }
  });

  it('in the mixed case of EIP-55 is taken, and refused with the case of any one letter changed', () => {
    const digits = bytes(20).map(bytesToHex);
    fc.assert(
      fc.property(digits, fc.nat(), (text, place) => {
        const right = eip55(text);
        expect(addressRefusal('ethereum', right)).toBeNull();
        const letters = [...right].flatMap((letter, at) => (at > 1 && /[a-f]/i.test(letter) ? [at] : []));
        const at = letters[place % letters.length] ?? -1;
        const letter = right[at] ?? '';
        const turned = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        const wrong = right.slice(0, at) + turned + right.slice(at + 1);
        const body = wrong.slice(2);
        // Without both cases there is no checksum left to be wrong.
        fc.pre(body !== body.toLowerCase() && body !== body.toUpperCase());
        expect(addressRefusal('ethereum', wrong)).toBe(capitals);
      }),
      { numRuns: 300 },
    );
  });
});
