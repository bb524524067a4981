import { HDKey } from '@scure/bip32';
import { describe, expect, it } from 'vitest';
import { anvilWords, masterKeyOf, publicKeyAt, publishedWords } from '../../testing/outside/seeds.ts';
import { checksummed } from '../address.ts';
import { accountKeyRefusal, createAccountKey, type KeyKind } from './account-key.ts';

const mainnet: KeyKind = { family: 'bitcoin', network: 'mainnet' };
const regtest: KeyKind = { family: 'bitcoin', network: 'regtest' };
const testnet: KeyKind = { family: 'bitcoin', network: 'testnet' };
const evm: KeyKind = { family: 'evm' };
const master = masterKeyOf(publishedWords);

const publishedZpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

describe('published vectors', () => {
  it('of BIP84: the addresses of a zpub', () => {
    expect(publicKeyAt(master, "m/84'/0'/0'", 'zpub')).toBe(publishedZpub);
    const key = createAccountKey(publishedZpub, mainnet);
    expect(key.path).toBe("m/84'/0'/0'");
    const first = key.addressAt(0, 0);
    expect(first).toMatchObject({
      address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      matchKey: '0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2',
      path: "m/84'/0'/0'/0/0",
      fingerprint: 0,
    });
    expect(Buffer.from(first.publicKey).toString('hex')).toBe(
      '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
    );
    expect(key.addressAt(0, 1).address).toBe('bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g');
    expect(key.addressAt(1, 0)).toMatchObject({
      address: 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el',
      path: "m/84'/0'/0'/1/0",
    });
  });

  it('of BIP32: children of public keys alone', () => {
    const account =
      'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5';
    const child = HDKey.fromExtendedKey(account).deriveChild(2);
    expect(child.publicExtendedKey).toBe(
      'xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV',
    );
    expect(child.deriveChild(1_000_000_000).publicExtendedKey).toBe(
      'xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy',
    );
    expect(createAccountKey(account, mainnet).path).toBe("m/84'/0'/2'");
  });

  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('of EIP-55: %s', (address) => expect(checksummed(address.toLowerCase())).toBe(address));

  it('of wallets everybody knows: the Ethereum addresses of two seeds', () => {
    const known = createAccountKey(publicKeyAt(master, "m/44'/60'/0'", 'xpub'), evm);
    expect(known.addressAt(0, 0)).toMatchObject({
      address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
      matchKey: '0x9858effd232b4033e47d90003d41ec34ecaeda94',
      path: "m/44'/60'/0'/0/0",
    });
    const anvils = createAccountKey(publicKeyAt(masterKeyOf(anvilWords), "m/44'/60'/0'", 'xpub'), evm);
    expect(anvils.addressAt(0, 1).address).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
  });
});

it('every spelling of a key gives the addresses of its network', () => {
  const at = (spelling: 'tpub' | 'vpub', kind: KeyKind) =>
    createAccountKey(publicKeyAt(master, "m/84'/1'/7'", spelling), kind).addressAt(0, 5);
  expect(at('tpub', testnet)).toEqual(at('vpub', testnet));
  expect(at('vpub', testnet)).toMatchObject({
    path: "m/84'/1'/7'/0/5",
    address: expect.stringMatching(/^tb1q/),
  });
  expect(at('vpub', regtest).address).toMatch(/^bcrt1q/);
  expect(at('vpub', regtest).matchKey).toBe(at('tpub', testnet).matchKey);
});

it('where a key comes from may stand before it and is kept for the wallet that signs', () => {
  const key = publicKeyAt(master, "m/84'/0'/3'", 'xpub');
  for (const origin of ["[73c5da0a/84'/0'/3']", '[73C5DA0A/84h/0h/3H]']) {
    const { fingerprint } = createAccountKey(` ${origin}${key}\n`, mainnet).addressAt(1, 9);
    expect(fingerprint).toBe(0x73c5da0a);
    expect(fingerprint).toBe(master.fingerprint);
  }
  expect(accountKeyRefusal('bitcoin', `[73c5da0a/84'/0'/4']${key}`, mainnet)).toBe(
    "The path before the key is not its own: it would be m/84'/0'/3'.",
  );
});

describe('a key is refused, in words', () => {
  const xpub = publicKeyAt(master, "m/84'/0'/0'", 'xpub');
  const xprv = master.derive("m/84'/0'/0'").privateExtendedKey;
  it.each<[string, string, KeyKind, RegExp]>([
    ['a private one', xprv, mainnet, /private key.*treat it as lost/],
    ['a private one with its origin', `[73c5da0a/84'/0'/0']${xprv}`, evm, /private key/],
    ['another spelling of a private one', `zprv${xprv.slice(4)}`, mainnet, /private key/],
    ['the words of a wallet', publishedWords, mainnet, /private key/],
    [
      'one of the test network',
      publicKeyAt(master, "m/84'/1'/0'", 'vpub'),
      mainnet,
      /another network.*zpub or xpub/,
    ],
    ['one of the main network', xpub, regtest, /another network.*'s regtest takes.*vpub or tpub/],
    ['a zpub for Ethereum', publishedZpub, evm, /another network\. .*takes.*xpub/],
    ['one for wrapped segwit', `ypub${xpub.slice(4)}`, mainnet, /another kind of addresses/],
    [
      'the master key',
      publicKeyAt(master, 'm', 'xpub'),
      mainnet,
      /not the key of an account.*m\/84'\/0'\/n'/,
    ],
    ['the key of one branch', publicKeyAt(master, "m/84'/0'/0'/0", 'xpub'), mainnet, /three steps deep/],
    ['an account that is not hardened', publicKeyAt(master, "m/84'/0'/0", 'xpub'), mainnet, /three steps/],
    ['a mistyped one', `${publishedZpub.slice(0, -1)}t`, mainnet, /missing or wrong/],
    ['one cut short', publishedZpub.slice(0, -1), mainnet, /missing or wrong/],
    ['the wrong letters before a right key', `zpub${xpub.slice(4)}`, mainnet, /missing or wrong/],
    ['an address', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', mainnet, /not an extended public key/],
    ['nothing', '', mainnet, /not an extended public key/],
  ])('%s', (_what, text, kind, refusal) => {
    expect(accountKeyRefusal(kind.family === 'evm' ? 'ethereum' : 'bitcoin', text, kind)).toMatch(refusal);
    expect(() => createAccountKey(text, kind)).toThrow(refusal);
  });

  it('under the name of the network that it was given for', () => {
    const other = 'This key belongs to another network.';
    const takesXpub = 'takes an account key that begins with xpub.';
    expect(accountKeyRefusal('ethereum', publishedZpub, evm)).toBe(`${other} Ethereum ${takesXpub}`);
    expect(accountKeyRefusal('bnb', publishedZpub, evm)).toBe(`${other} BNB Smart Chain ${takesXpub}`);
    expect(accountKeyRefusal('bitcoin', publishedZpub, regtest)).toBe(
      `${other} Bitcoin's regtest takes an account key that begins with vpub or tpub.`,
    );
  });

  it('not a good one', () => expect(accountKeyRefusal('bitcoin', publishedZpub, mainnet)).toBeNull());
});

it('an address has a number that can be', () => {
  const key = createAccountKey(publishedZpub, mainnet);
  for (const index of [-1, 1.5, 2 ** 31, Number.NaN])
    expect(() => key.addressAt(0, index)).toThrow(RangeError);
  expect(() => key.addressAt(2 as 1, 0)).toThrow(RangeError);
  expect(key.addressAt(0, 2 ** 31 - 1).path).toBe("m/84'/0'/0'/0/2147483647");
});
