import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, it } from 'vitest';
import { base64Of, fromHex, hexOf, utf8 } from '../bytes.ts';
import { parseEntry } from '../entries.ts';
import { checkAddress } from './address.ts';
import { isRecoverable, isWitness } from './bitcoin.ts';
import { base58Digits, fromBase58, fromSegwit } from './spelling.ts';

/** The examples of the document, which are entries that a server has written. */
const document = readFileSync(join(import.meta.dirname, '../../docs/trust.md'), 'utf8');
const examples = [...document.matchAll(/^```entry\n(address\/v1\n[^`]*)^```$/gm)].map(
  ([, entry = '']) => entry,
);
const linesOf = (entry: string) => {
  const read = parseEntry(entry);
  if ('wrong' in read) throw new Error(read.wrong);
  return read.lines;
};
const [bitcoin = '', ethereum = '', xrp = ''] = examples;

describe('an address that has signed', () => {
  it('is believed for the examples of the document, one of each family', () => {
    expect(examples.map((entry) => /^network (.*)$/m.exec(entry)?.[1])).toEqual([
      'bitcoin',
      'ethereum',
      'xrp',
    ]);
    for (const entry of examples) expect(checkAddress(linesOf(entry))).toBeNull();
  });

  it.each([
    ['another message', bitcoin.replace('belongs to', 'belonged to'), /not the one of this log/],
    [
      'another log',
      bitcoin.replace('origin books.example', 'origin b00ks.example'),
      /not the one of this log/,
    ],
    [
      'another log, also in the message',
      bitcoin.replaceAll('books.example', 'b00ks.example'),
      /does not hold/,
    ],
    ['another network', ethereum.replaceAll(/\bethereum\b/g, 'bnb'), /does not hold/],
    ['another account', ethereum.replaceAll('7E5F4552', '7e5f4552'), /does not hold/],
    ['another signature', bitcoin.replace('signature IPIP', 'signature IPIQ'), /does not hold/],
    ['another signature of XRP', xrp.replace('signature 40', 'signature 41'), /does not hold/],
    ['another key', xrp.replace('publickey ED4C', 'publickey ED4D'), /does not hold/],
    ['another way', bitcoin.replace('bip137', 'bip322'), /does not hold/],
  ])('is not believed with %s', (_, entry, wrong) => {
    expect(checkAddress(linesOf(entry))).toEqual({ wrong: expect.stringMatching(wrong) });
  });

  it('is not believed by the rule of another network, although the signature is one', () => {
    const account = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf';
    const message = `tallystick address/v1: bitcoin ${account} belongs to books.example/log`;
    const hash = keccak_256(utf8(`\u0019Ethereum Signed Message:\n${message.length}${message}`));
    const key = Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? 1 : 0));
    const [recovery = 0, ...halves] = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
    const signature = `0x${hexOf(Uint8Array.from([...halves, 27 + recovery]))}`;
    const other = ethereum
      .replaceAll(/\bethereum\b/g, 'bitcoin')
      .replace(/^signature .*$/m, `signature ${signature}`);
    expect(linesOf(other).get('message')).toBe(message);
    expect(checkAddress(linesOf(other))).toEqual({ wrong: expect.stringMatching(/No address of bitcoin/) });
    const unknown = bitcoin.replaceAll(/\bbitcoin\b/g, 'xrp');
    expect(checkAddress(linesOf(unknown))).toEqual({ wrong: expect.stringMatching(/No address of xrp/) });
  });

  it('is left unchecked on a network whose addresses are not known', () => {
    const other = bitcoin.replaceAll(/\bbitcoin\b/g, 'litecoin');
    expect(checkAddress(linesOf(other))).toHaveProperty('unchecked');
  });

  it.each([
    [bitcoin, 'signature IPIP', 'signature IP IP'],
    [bitcoin, 'bip137', 'bip999'],
    [bitcoin, 'scheme bip137\n', ''],
    [ethereum, 'signature 0x', 'signature 0X'],
    [xrp, /\npublickey .*/, ''],
    [xrp, 'publickey ED', 'publickey ed'],
    [bitcoin, /\n$/, `\npublickey ED${'0'.repeat(64)}\n`],
  ])('is written in one way', (entry, from, to) => {
    expect(parseEntry(entry.replace(from, to))).toHaveProperty('wrong');
  });
});

// trezor-firmware, tests/device_tests/bitcoin/test_signmessage.py; bips, bip-0322; Bitcoin Core, util_tests.cpp.
const trezor: [string, string][] = [
  [
    '1JAd7XCBzGudGpJQSDSfpmJhiygtLQWaGL',
    '20fd8f2f7db5238fcdd077d5204c3e6949c261d700269cefc1d9d2dcef6b95023630ee617f6c8acf9eb40c8edd704c9ca74ea4afc393f43f35b4e8958324cbdd1c',
  ],
  [
    '3L6TyTisPBmrDAj6RoKmDzNnj4eQi54gD2',
    '23744de4516fac5c140808015664516a32fead94de89775cec7e24dbc24fe133075ac09301c4cc8e197bea4b6481661d5b8e9bf19d8b7b8a382ecdb53c2ee0750d',
  ],
  [
    'bc1qannfxke2tfd4l7vhepehpvt05y83v3qsf6nfkk',
    '28b55d7600d9e9a7e2a49155ddf3cfdb8e796c207faab833010fa41fb7828889bc47cf62348a7aaa0923c0832a589fab541e8f12eb54fb711c90e2307f0f66b194',
  ],
  [
    'bc1qannfxke2tfd4l7vhepehpvt05y83v3qsf6nfkk',
    '20b55d7600d9e9a7e2a49155ddf3cfdb8e796c207faab833010fa41fb7828889bc47cf62348a7aaa0923c0832a589fab541e8f12eb54fb711c90e2307f0f66b194',
  ],
];
const witnesses: [string, string, string][] = [
  [
    'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
    'Hello World',
    'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
  ],
  [
    'bc1pss0zhytly75awhm6x2hhvd5lnzv3vssgrf9axfheq8ldyzn88ges79fler',
    'No prefix fallback',
    'AUCJYOwOjxYAvatTAGYaVlNXBVyFuc4MwNQkOuK2tl8xhfKDONd0NjfYyNSYcRqeCp8hsAnCEPHAVEkO9h6vbQ/R',
  ],
  [
    'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3',
    'Hello World',
    'AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ==',
  ],
];

describe('what others have published', () => {
  const text = 'This is an example of a signed message.';
  it.each(trezor)('holds in the older way: %s', (address, hex) => {
    const signature = base64Of(fromHex(hex) ?? new Uint8Array());
    expect(isRecoverable(address, text, signature)).toBe(true);
    expect(isRecoverable(address, `${text}.`, signature)).toBe(false);
    expect(isRecoverable('1GWFxtwWmNVqotUPXLcKVL2mUKpshuJYo', text, signature)).toBe(false);
  });

  it.each(witnesses)('holds by BIP-322: %s', (address, message, signature) => {
    expect(isWitness(address, message, signature)).toBe(true);
    expect(isWitness(address, `${message}.`, signature)).toBe(false);
    expect(isWitness('bc1qannfxke2tfd4l7vhepehpvt05y83v3qsf6nfkk', message, signature)).toBe(false);
  });
});

it('a mistyped address is none', () => {
  expect(fromBase58('1JAd7XCBzGudGpJQSDSfpmJhiygtLQWaGL', base58Digits.bitcoin)?.version).toBe(0);
  expect(fromBase58('1JAd7XCBzGudGpJQSDSfpmJhiygtLQWaGM', base58Digits.bitcoin)).toBeNull();
  expect(fromBase58('11JAd7XCBzGudGpJQSDSfpmJhiygtLQWaGL', base58Digits.bitcoin)).toBeNull();
  expect(fromBase58('0', base58Digits.bitcoin)).toBeNull();
  expect(fromBase58('z'.repeat(60), base58Digits.bitcoin)).toBeNull();
  expect(fromSegwit('bc1qannfxke2tfd4l7vhepehpvt05y83v3qsf6nfkk')?.program.length).toBe(20);
  expect(fromSegwit('bc1qannfxke2tfd4l7vhepehpvt05y83v3qsf6nfkq')).toBeNull();
  // Version 0 with the checksum of later ones, from BIP-350.
  expect(fromSegwit('bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd')).toBeNull();
});
