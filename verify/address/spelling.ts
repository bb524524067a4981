import { sha256 } from '@noble/hashes/sha2.js';
import { sameBytes } from '../bytes.ts';

/** How chains write the bytes of an address. Null for what is mistyped. */

const hash256 = (bytes: Uint8Array) => sha256(sha256(bytes));

export const base58Digits = {
  bitcoin: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  xrp: 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz',
};

/** One byte that says what it is, 20 of a hash, 4 of a checksum. */
export function fromBase58(text: string, digits: string): { version: number; hash: Uint8Array } | null {
  let value = 0n;
  for (const character of text) {
    const digit = digits.indexOf(character);
    if (digit < 0) return null;
    value = value * 58n + BigInt(digit);
  }
  if (value >> 200n !== 0n) return null;
  const bytes = Uint8Array.from({ length: 25 }, (_, at) => Number((value >> BigInt(8 * (24 - at))) & 255n));
  // Zeros in front are written one digit each, or there would be more spellings of one address.
  const zeros = (of: Iterable<unknown>, zero: unknown) => [...of].findIndex((each) => each !== zero);
  if (zeros(text, digits[0]) !== zeros(bytes, 0)) return null;
  const [kept, checksum] = [bytes.subarray(0, 21), bytes.subarray(21)];
  if (!sameBytes(hash256(kept).subarray(0, 4), checksum)) return null;
  return { version: kept[0] ?? 0, hash: kept.subarray(1) };
}

const bech32Digits = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, part] of generator.entries()) if ((top >>> bit) & 1) sum ^= part;
  }
  return sum;
}

/** BIP-173 and BIP-350, in small letters: the version of the witness, and what it is locked with. */
export function fromSegwit(text: string): { prefix: string; version: number; program: Uint8Array } | null {
  const [, prefix = '', written = ''] = /^([a-z]{1,10})1([a-z0-9]{7,80})$/.exec(text) ?? [];
  const words = [...written].map((character) => bech32Digits.indexOf(character));
  if (words.length === 0 || words.includes(-1)) return null;
  const letters = [...prefix].map((letter) => letter.charCodeAt(0));
  const checked = [...letters.map((code) => code >>> 5), 0, ...letters.map((code) => code & 31), ...words];
  const [version = 32, ...digits] = words.slice(0, -6);
  if (version > 16 || polymod(checked) !== (version === 0 ? 1 : 0x2bc830a3)) return null;
  const program = bytesOf(digits);
  return program && { prefix, version, program };
}

/** Five bits each; what is left over must be less than a digit, and nothing. */
function bytesOf(words: readonly number[]): Uint8Array | null {
  const bits = words.map((word) => word.toString(2).padStart(5, '0')).join('');
  const whole = bits.length - (bits.length % 8);
  if (bits.length - whole > 4 || bits.slice(whole).includes('1')) return null;
  return Uint8Array.from(bits.slice(0, whole).match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
