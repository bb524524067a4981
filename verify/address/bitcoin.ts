import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concat, fromBase64, sameBytes, utf8 } from '../bytes.ts';
import { base58Digits, fromBase58, fromSegwit } from './spelling.ts';

/** What an address of Bitcoin has signed, in the older way or by BIP-322. */

const hash160 = (bytes: Uint8Array) => ripemd160(sha256(bytes));
const hash256 = (bytes: Uint8Array) => sha256(sha256(bytes));

type Lock =
  | { kind: 'pkh' | 'sh' | 'wpkh'; hash: Uint8Array; script: Uint8Array }
  | { kind: 'tr'; key: Uint8Array; script: Uint8Array };

/** Of the main network or a test network, in its one spelling. */
function lockOf(address: string): Lock | null {
  const segwit = fromSegwit(address);
  if (segwit) {
    const { prefix, version, program } = segwit;
    if (!['bc', 'tb', 'bcrt'].includes(prefix)) return null;
    if (version === 0 && program.length === 20) {
      return { kind: 'wpkh', hash: program, script: concat(Uint8Array.of(0, 20), program) };
    }
    if (version === 1 && program.length === 32) {
      return { kind: 'tr', key: program, script: concat(Uint8Array.of(0x51, 32), program) };
    }
    return null;
  }
  const read = fromBase58(address, base58Digits.bitcoin);
  if (!read) return null;
  const kind = { 0: 'pkh', 111: 'pkh', 5: 'sh', 196: 'sh' }[read.version] as 'pkh' | 'sh' | undefined;
  return kind ? { kind, hash: read.hash, script: new Uint8Array() } : null;
}

/** The bytes and, before them, how many there are; nothing here has more than a short message. */
function framed(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  const count = length < 253 ? [length] : [253, length & 255, length >>> 8];
  return concat(Uint8Array.from(count), bytes);
}

/** BIP-137, and what Electrum and Bitcoin Core write, who say `plain` of every kind of address. */
export function isRecoverable(address: string, message: string, signature: string): boolean {
  const lock = lockOf(address);
  const bytes = fromBase64(signature);
  if (!lock || lock.kind === 'tr' || bytes?.length !== 65) return false;
  const first = (bytes[0] ?? 0) - 27;
  if (first < 0 || first > 15) return false;
  const kinds = [['pkh'], ['pkh', 'sh', 'wpkh'], ['sh'], ['wpkh']][first >>> 2] ?? [];
  if (!kinds.includes(lock.kind)) return false;
  const hash = hash256(concat(framed(utf8('Bitcoin Signed Message:\n')), framed(utf8(message))));
  const key = recovered(concat(Uint8Array.of(first & 3), bytes.subarray(1)), hash)?.toBytes(first >= 4);
  if (!key) return false;
  const nested = concat(Uint8Array.of(0, 20), hash160(key));
  return sameBytes(lock.hash, hash160(lock.kind === 'sh' ? nested : key));
}

/** The key that has signed; none when it is the larger of the two signatures that there always are. */
export function recovered(signature: Uint8Array, hash: Uint8Array) {
  try {
    const read = secp256k1.Signature.fromBytes(signature, 'recovered');
    return read.hasHighS() ? null : read.recoverPublicKey(hash);
  } catch {
    return null;
  }
}

const tagged = (tag: string, bytes: Uint8Array) => {
  const name = sha256(utf8(tag));
  return sha256(concat(name, name, bytes));
};

const none = (count: number) => new Uint8Array(count);
const number = (value: number) => Uint8Array.of(value & 255, value >>> 8, 0, 0);

/** BIP-322, simple. */
export function isWitness(address: string, message: string, signature: string): boolean {
  const lock = lockOf(address);
  const parts = witnessOf(fromBase64(signature));
  if (!lock || !parts) return false;
  // Version, lock time and the sequence of the only input are all 0: four bytes each.
  const said = tagged('BIP0322-signed-message', utf8(message));
  const toSpend = concat(
    none(4),
    Uint8Array.of(1),
    none(32),
    Uint8Array.of(255, 255, 255, 255),
    framed(concat(Uint8Array.of(0, 32), said)),
    none(4),
    Uint8Array.of(1),
    none(8),
    framed(lock.script),
    none(4),
  );
  const outpoint = concat(hash256(toSpend), none(4));
  const output = concat(none(8), framed(Uint8Array.of(0x6a)));
  if (lock.kind === 'tr') return isTaproot(lock, parts, { outpoint, output });
  if (lock.kind !== 'wpkh') return false;
  const [mark, key] = parts;
  if (parts.length !== 2 || !mark || key?.length !== 33 || mark.at(-1) !== 1) return false;
  if (!sameBytes(hash160(key), lock.hash)) return false;
  const code = concat(Uint8Array.of(0x76, 0xa9, 20), lock.hash, Uint8Array.of(0x88, 0xac));
  const hash = hash256(
    concat(
      none(4),
      hash256(outpoint),
      hash256(none(4)),
      outpoint,
      framed(code),
      none(8),
      none(4),
      hash256(output),
      none(4),
      number(1),
    ),
  );
  return holds(() => secp256k1.verify(mark.subarray(0, -1), hash, key, { prehash: false, format: 'der' }));
}

interface Spending {
  outpoint: Uint8Array;
  output: Uint8Array;
}

function isTaproot(lock: Lock & { kind: 'tr' }, [mark, ...more]: Uint8Array[], spending: Spending): boolean {
  if (!mark || more.length > 0) return false;
  const kind = mark.length === 65 ? mark.at(64) : 0;
  if (mark.length === 65 ? kind !== 1 : mark.length !== 64) return false;
  const hash = tagged(
    'TapSighash',
    concat(
      Uint8Array.of(0, kind ?? 0),
      none(4),
      none(4),
      sha256(spending.outpoint),
      sha256(none(8)),
      sha256(framed(lock.script)),
      sha256(none(4)),
      sha256(spending.output),
      none(1),
      none(4),
    ),
  );
  return holds(() => schnorr.verify(mark.subarray(0, 64), hash, lock.key));
}

function witnessOf(bytes: Uint8Array | null): Uint8Array[] | null {
  const [count = 0] = bytes ?? [];
  const parts: Uint8Array[] = [];
  let at = 1;
  for (; bytes && parts.length < count; ) {
    const length = bytes[at] ?? 255;
    if (length > 252 || at + 1 + length > bytes.length) return null;
    parts.push(bytes.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return bytes && at === bytes.length ? parts : null;
}

export function holds(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
