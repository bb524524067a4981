import { hash } from 'node:crypto';

/** Liabilities v1, as `docs/trust.md` has them: a tree whose every node is a hash and what lies below it, kind by kind. */

/** Wallet, invested, profit so far, being withdrawn: in cents, always in this order. */
export type Amounts = [wallet: bigint, invested: bigint, profit: bigint, withdrawing: bigint];

const kinds = 4;
const hashBytes = 32;
const secretBytes = 32;
export const amountsBytes = 8 * kinds;
/** A node as it is kept: its hash, and its amounts as the hash above it has them. */
export const nodeBytes = hashBytes + amountsBytes;
const amountMax = 2n ** 63n - 1n;
const idBytesMax = 255;

const depthMin = 10;
const depthMax = 30;
/** Amounts are divided among so many leaves. */
export const pieces = 2;

/** Held while a statement is made. */
export const statementLock = 'proof';

/**
 * Whoever holds these locks takes long and moves no money: the check of the ledger, an export, a statement, and who waits
 * while a server prepares what is there before its first request.
 */
export const moveNothing = ['ledger_checks', 'proof export', statementLock, 'prepare'] as const;

/** Everything is hashed behind it: nothing of one statement fits into another. */
export function seedOf({ origin, number, time }: { origin: string; number: bigint; time: string }): Buffer {
  return hash('sha256', `tallystick/liabilities/v1\n${origin}\n${number}\n${time}\n`, 'buffer');
}

/** The least that leaves a fifth of the leaves to nobody. It never shrinks: it would tell that people have left. */
export function depthFor(leaves: number, depthBefore: number): number {
  let depth = Math.max(depthMin, depthBefore);
  while (4 * 2 ** depth < 5 * leaves) depth += 1;
  if (depth > depthMax) throw new RangeError('there are too many leaves for one tree');
  return depth;
}

/**
 * What the investor knows to be theirs alone: their e-mail address, in small letters. One that does not fit stands as its
 * hash.
 */
export function idOf(email: string): Buffer {
  const text = email.trim().toLowerCase().normalize('NFC');
  const bytes = Buffer.from(text);
  return bytes.length <= idBytesMax ? bytes : Buffer.from(`sha256:${hash('sha256', bytes, 'hex')}`);
}

export function amountsToBytes(amounts: Amounts): Buffer {
  const bytes = Buffer.alloc(amountsBytes);
  for (const [kind, cents] of amounts.entries()) {
    if (cents < 0n || cents > amountMax)
      throw new RangeError('an amount is below zero, or beyond all limits');
    bytes.writeBigUInt64BE(cents, 8 * kind);
  }
  return bytes;
}

export function amountsAt(bytes: Buffer, at: number): Amounts {
  const read = (kind: number) => bytes.readBigUInt64BE(at + 8 * kind);
  return [read(0), read(1), read(2), read(3)];
}

/** All of it together has to be an amount, too. */
export function sumOf(amounts: Amounts): bigint {
  const sum = amounts.reduce((all, cents) => all + cents, 0n);
  if (sum > amountMax) throw new RangeError('together it is beyond all limits');
  return sum;
}

/** Written as text: a digest in a buffer of its own costs three times as much as the hash. */
function writeHash(out: Buffer, at: number, bytes: Buffer): void {
  out.write(hash('sha256', bytes, 'latin1'), at, 'latin1');
}

export interface Leaf {
  secret: Uint8Array;
  piece: number;
  pieces: number;
  amounts: Uint8Array;
  id: Uint8Array;
}

const leafHeadBytes = 1 + hashBytes + secretBytes + 4 + 4 + amountsBytes;

/** Writes leaves and nodes of one statement. */
export function createTreeHash(seed: Buffer) {
  const leafText = Buffer.alloc(leafHeadBytes + idBytesMax);
  seed.copy(leafText, 1);
  const nodeText = Buffer.alloc(1 + hashBytes + 1 + 2 * nodeBytes);
  nodeText[0] = 1;
  seed.copy(nodeText, 1);

  return {
    leaf(out: Buffer, at: number, { secret, piece, pieces, amounts, id }: Leaf): void {
      if (secret.length !== secretBytes || amounts.length !== amountsBytes || id.length > idBytesMax) {
        throw new RangeError('this is no leaf');
      }
      leafText.set(secret, 33);
      leafText.writeUInt32BE(piece, 65);
      leafText.writeUInt32BE(pieces, 69);
      leafText.set(amounts, 73);
      leafText.set(id, leafHeadBytes);
      writeHash(out, at, leafText.subarray(0, leafHeadBytes + id.length));
      out.set(amounts, at + hashBytes);
    },

    /** Of two that stand side by side, the node above them. */
    above(height: number, pair: Buffer, from: number, out: Buffer, at: number): void {
      nodeText[33] = height;
      pair.copy(nodeText, 34, from, from + 2 * nodeBytes);
      const hashed = hash('sha256', nodeText, 'latin1');
      addAmounts(nodeText, 34 + hashBytes, 34 + nodeBytes + hashBytes, out, at + hashBytes);
      out.write(hashed, at, 'latin1');
    },
  };
}

export type TreeHash = ReturnType<typeof createTreeHash>;

/** In halves of 32 bits, which numbers hold exactly: there are millions of sums. */
function addAmounts(from: Buffer, left: number, right: number, out: Buffer, at: number): void {
  for (let offset = 0; offset < amountsBytes; offset += 8) {
    const low = from.readUInt32BE(left + offset + 4) + from.readUInt32BE(right + offset + 4);
    const carried = low > 0xffff_ffff ? 1 : 0;
    const high = from.readUInt32BE(left + offset) + from.readUInt32BE(right + offset) + carried;
    if (high > 0x7fff_ffff) throw new RangeError('a sum is beyond all limits');
    out.writeUInt32BE(high, at + offset);
    out.writeUInt32BE(low >>> 0, at + offset + 4);
  }
}

/** The node above a full row of nodes, which stand `height` above the leaves. The row is used up. */
export function fold(tree: TreeHash, row: Buffer, height: number): Buffer {
  let nodes = row;
  for (let above = height + 1; nodes.length > nodeBytes; above += 1) nodes = foldOnce(tree, nodes, above);
  return nodes;
}

/** What stands beside the way up from one of a full row. The row is used up. */
export function siblings(tree: TreeHash, row: Buffer, index: number, height: number): Buffer[] {
  const path: Buffer[] = [];
  let nodes = row;
  let own = index;
  for (let above = height + 1; nodes.length > nodeBytes; above += 1) {
    const beside = (own ^ 1) * nodeBytes;
    path.push(Buffer.copyBytesFrom(nodes, beside, nodeBytes));
    nodes = foldOnce(tree, nodes, above);
    own >>>= 1;
  }
  return path;
}

/** In place: a pair lies at or behind where the node above it is written, and is copied before that. */
function foldOnce(tree: TreeHash, nodes: Buffer, above: number): Buffer {
  for (let n = 0; n < nodes.length / nodeBytes / 2; n += 1) {
    tree.above(above, nodes, 2 * n * nodeBytes, nodes, n * nodeBytes);
  }
  return nodes.subarray(0, nodes.length / 2);
}

/**
 * Every kind divided by chance, so that a neighbour who sees a leaf knows nothing of the whole. Takes eight random bytes
 * a kind.
 */
export function splitInto(amounts: Buffer, random: Buffer, first: Buffer, rest: Buffer): void {
  for (let at = 0; at < amountsBytes; at += 8) {
    const cents = amounts.readBigUInt64BE(at);
    const taken = cents === 0n ? 0n : ((cents + 1n) * random.readBigUInt64BE(at)) >> 64n;
    first.writeBigUInt64BE(taken, at);
    rest.writeBigUInt64BE(cents - taken, at);
  }
}
