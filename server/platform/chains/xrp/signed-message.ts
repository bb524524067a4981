import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeAccountID } from 'ripple-address-codec';
import { type Checked, notOfThis, type SignedText, wasChanged } from '../signed-text.ts';

const notAKey =
  'Enter the public key of the account too: 66 hexadecimal digits that begin with 02, 03 or ED.';
const notHex = 'Paste the signature alone, as hexadecimal digits.';

/** Signed as transactions are, by either kind of key; an account is the hash of its first, its master key. */
export function checkXrpText({ address, text, signature, publicKey }: SignedText): Checked {
  const key = publicKey?.toUpperCase() ?? '';
  if (!/^(02|03|ED)[0-9A-F]{64}$/.test(key)) return { wrong: notAKey };
  const digits = signature.toUpperCase();
  if (!/^([0-9A-F]{2})+$/.test(digits)) return { wrong: notHex };
  if (encodeAccountID(ripemd160(sha256(hexToBytes(key)))) !== address) {
    return { wrong: 'This public key is of another account. Only the master key of this account counts.' };
  }
  const signed = { key: hexToBytes(key), signature: hexToBytes(digits), said: utf8ToBytes(text) };
  if (isSigned(signed, true)) return { scheme: 'xrp', signature: digits, publicKey: key };
  return { wrong: isSigned(signed, false) ? wasChanged : notOfThis };
}

interface Signed {
  key: Uint8Array;
  signature: Uint8Array;
  said: Uint8Array;
}

function isSigned({ key, signature, said }: Signed, lowS: boolean): boolean {
  try {
    if (key[0] === 0xed) return ed25519.verify(signature, said, key.subarray(1), { zip215: false });
    const hash = sha512(said).subarray(0, 32);
    return secp256k1.verify(signature, hash, key, { prehash: false, format: 'der', lowS });
  } catch {
    return false;
  }
}
