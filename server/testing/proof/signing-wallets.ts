import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { encodeAccountID } from 'ripple-address-codec';

/** Wallets as operators have them, elsewhere: with keys that everybody knows, and nobody uses for money. */

const numbered = (number: number): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? number : 0));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

function recoverable(hash: Uint8Array, key: Uint8Array) {
  const signature = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
  return { recovery: signature[0] ?? 0, halves: signature.subarray(1) };
}

/** The example address of BIP-173 has the first key there is. Signs as Electrum does. */
export const bitcoinWallet = {
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  testAddress: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  /** Other coins of the family have their own name before the text. */
  sign(text: string, coin = 'Bitcoin'): string {
    const parts = [`${coin} Signed Message:\n`, text].map(utf8ToBytes);
    const framed = concatBytes(...parts.flatMap((part) => [Uint8Array.of(part.length), part]));
    const { recovery, halves } = recoverable(sha256(sha256(framed)), numbered(1));
    return base64.encode(concatBytes(Uint8Array.of(31 + recovery), halves));
  },
};

/** The account of the same key; signs as personal_sign does. */
export const evmWallet = {
  address: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
  sign(text: string): string {
    const before = utf8ToBytes(`\u0019Ethereum Signed Message:\n${utf8ToBytes(text).length}`);
    const { recovery, halves } = recoverable(keccak_256(concatBytes(before, utf8ToBytes(text))), numbered(1));
    return `0x${bytesToHex(halves)}${(27 + recovery).toString(16)}`;
  },
};

const edwardsKey = concatBytes(Uint8Array.of(0xed), ed25519.getPublicKey(numbered(1)));

/** Signs as ripple-keypairs does. */
export const xrpWallet = {
  address: encodeAccountID(ripemd160(sha256(edwardsKey))),
  publicKey: bytesToHex(edwardsKey).toUpperCase(),
  sign: (text: string): string => bytesToHex(ed25519.sign(utf8ToBytes(text), numbered(1))).toUpperCase(),
};
