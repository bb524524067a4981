import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concat, fromHex, hexOf, sameBytes, utf8 } from '../bytes.ts';
import type { Wrong } from '../plain.ts';
import { holds, isRecoverable, isWitness, recovered } from './bitcoin.ts';
import { base58Digits, fromBase58 } from './spelling.ts';

/** An address of the house, and what its own key has signed: the entry `address/v1` of the log. */

const addressMessage = (origin: string, network: string, address: string): string =>
  `tallystick address/v1: ${network} ${address} belongs to ${origin}`;

/** By which rules the addresses of a network sign, where that is known here. */
const schemesOf = new Map([
  ['bitcoin', ['bip137', 'bip322']],
  ['ethereum', ['eip191']],
  ['bnb', ['eip191']],
  ['xrp', ['xrp']],
]);

/** Checks the signature itself, with nothing but the entry. */
export function checkAddress(lines: ReadonlyMap<string, string>): Wrong | { unchecked: string } | null {
  const value = (name: string) => lines.get(name) ?? '';
  const [network, address, message] = [value('network'), value('address'), value('message')];
  if (message !== addressMessage(value('origin'), network, address)) {
    return {
      wrong: `The message that ${address} has signed is not the one of this log, network and address.`,
    };
  }
  const [scheme, signature] = [value('scheme'), value('signature')];
  if (schemesOf.get(network)?.includes(scheme) === false) {
    return { wrong: `No address of ${network} signs by ${scheme}: ${address} is not one.` };
  }
  switch (scheme) {
    case 'bip137':
      // Other coins have another name before the message, and other addresses.
      if (network !== 'bitcoin') return { unchecked: `How addresses of ${network} sign is not known here.` };
      return verdict(address, isRecoverable(address, message, signature));
    case 'bip322':
      if (network !== 'bitcoin') return { unchecked: `How addresses of ${network} look is not known here.` };
      return verdict(address, isWitness(address, message, signature));
    case 'eip191':
      return verdict(address, isPersonal(address, message, signature));
    default:
      return verdict(address, isOfAccount(address, message, signature, value('publickey')));
  }
}

const verdict = (address: string, isRight: boolean): Wrong | null =>
  isRight ? null : { wrong: `The signature of ${address} does not hold.` };

/** EIP-191 by an account of EIP-55. */
function isPersonal(address: string, message: string, signature: string): boolean {
  const bytes = fromHex(signature.slice(2));
  const last = bytes?.[64] ?? 0;
  if (!signature.startsWith('0x') || bytes?.length !== 65 || (last !== 27 && last !== 28)) return false;
  const said = utf8(message);
  const hash = keccak_256(concat(utf8(`\u0019Ethereum Signed Message:\n${said.length}`), said));
  const key = recovered(concat(Uint8Array.of(last - 27), bytes.subarray(0, 64)), hash);
  if (!key) return false;
  const digits = hexOf(keccak_256(key.toBytes(false).subarray(1)).subarray(-20));
  const capitals = hexOf(keccak_256(utf8(digits)));
  return (
    address ===
    `0x${[...digits].map((digit, at) => ((capitals[at] ?? '') > '7' ? digit.toUpperCase() : digit)).join('')}`
  );
}

/** By the key that the account is the hash of. */
function isOfAccount(address: string, message: string, signature: string, publicKey: string): boolean {
  const [key, mark] = [publicKey, signature].map((hex) => fromHex(hex.toLowerCase()));
  const account = fromBase58(address, base58Digits.xrp);
  if (!key || !mark || account?.version !== 0) return false;
  if (!sameBytes(ripemd160(sha256(key)), account.hash)) return false;
  if (key[0] === 0xed) {
    return holds(() => ed25519.verify(mark, utf8(message), key.subarray(1), { zip215: false }));
  }
  const hash = sha512(utf8(message)).subarray(0, 32);
  return holds(() => secp256k1.verify(mark, hash, key, { prehash: false, format: 'der' }));
}
