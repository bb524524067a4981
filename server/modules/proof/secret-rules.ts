import { createCipheriv, hkdfSync } from 'node:crypto';

/** All that is secret about a statement follows from one key: secrets of leaves, and where each leaf stands. */

const secretBytes = 32;
const blockBytes = 16;
/** As many as format-preserving encryption takes (NIST SP 800-38G); even, so that the halves end as they began. */
const rounds = 10;

const derived = (key: Buffer, use: string) =>
  Buffer.from(hkdfSync('sha256', key, '', `tallystick liabilities ${use}`, 32));

/** The keystream of a block cipher, read from any place on. */
function keystream(key: Buffer, from: number, count: number): Buffer {
  const counter = Buffer.alloc(blockBytes);
  counter.writeBigUInt64BE(BigInt(from) * BigInt(secretBytes / blockBytes), 8);
  return createCipheriv('aes-256-ctr', key, counter).update(Buffer.alloc(secretBytes * count));
}

/** Of each investor one, of each place that is nobody's another; as many as wanted from a number on, end to end. */
export function createSecrets(key: Buffer) {
  const investors = derived(key, 'investors');
  const pads = derived(key, 'pads');
  return {
    ofInvestors: (from: number, count: number) => keystream(investors, from, count),
    ofPads: (from: number, count: number) => keystream(pads, from, count),
  };
}

/**
 * A permutation of all places that nobody knows without the key: a Feistel network, whose rounds are made for many at
 * once. It needs no memory, so leaves are put into their places one after the other, however many there are.
 */
export function createShuffle(key: Buffer, depth: number) {
  const secret = derived(key, 'places');
  const leftBits = depth >>> 1;
  const rightBits = depth - leftBits;

  /** Blocks of one length follow each other: they are made in one place. */
  let blocks = Buffer.alloc(0);

  /** What a round mixes in: of every value 32 bits that look like chance. */
  function mix(round: number, values: Uint32Array): Buffer {
    if (blocks.length !== blockBytes * values.length) blocks = Buffer.alloc(blockBytes * values.length);
    for (let n = 0; n < values.length; n += 1) {
      blocks[blockBytes * n] = round;
      blocks.writeUInt32BE(values[n] ?? 0, blockBytes * n + 4);
    }
    return createCipheriv('aes-256-ecb', secret, null).setAutoPadding(false).update(blocks);
  }

  const maskOf = (bits: number) => 2 ** bits - 1;

  return {
    /** Where the leaves of these numbers stand. */
    places(numbers: Uint32Array): Uint32Array {
      let left = numbers.map((number) => number >>> rightBits);
      let right = numbers.map((number) => number & maskOf(rightBits));
      for (let round = 0; round < rounds; round += 1) {
        const mask = maskOf(round % 2 === 0 ? leftBits : rightBits);
        const mixed = mix(round, right);
        const next = left.map((value, n) => (value ^ mixed.readUInt32BE(blockBytes * n)) & mask);
        [left, right] = [right, next];
      }
      return left.map((value, n) => ((value << rightBits) | (right[n] ?? 0)) >>> 0);
    },

    /** The numbers of the leaves at these places. */
    numbers(places: Uint32Array): Uint32Array {
      let left = places.map((place) => place >>> rightBits);
      let right = places.map((place) => place & maskOf(rightBits));
      for (let round = rounds - 1; round >= 0; round -= 1) {
        const mask = maskOf(round % 2 === 0 ? leftBits : rightBits);
        const mixed = mix(round, left);
        const before = right.map((value, n) => (value ^ mixed.readUInt32BE(blockBytes * n)) & mask);
        [left, right] = [before, left];
      }
      return left.map((value, n) => ((value << rightBits) | (right[n] ?? 0)) >>> 0);
    },
  };
}
