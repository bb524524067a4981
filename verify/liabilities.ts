import { sha256 } from '@noble/hashes/sha2.js';
import { type Amounts, amountNames, type Books } from './books.ts';
import { bigEndian, concat, fromHex, sameBytes, utf8 } from './bytes.ts';
import { amountMax, dollars, isWrong, type Wrong, wholeOf } from './plain.ts';

/** The tree of what is owed: every node carries the sums of both its children, kind by kind. */

interface PathStep {
  hash: string;
  amounts: readonly string[];
}

export interface Piece {
  index: number;
  amounts: readonly string[];
  /** From the leaf up. */
  path: readonly PathStep[];
}

/** What all hashes of one statement begin with, so that none fits another statement. */
export const statementSalt = (origin: string, number: number, time: string): Uint8Array =>
  sha256(utf8(`tallystick/liabilities/v1\n${origin}\n${number}\n${time}\n`));

const amountBytes = (amounts: Amounts) => concat(...amounts.map((amount) => bigEndian(amount, 8)));

interface Leaf {
  secret: Uint8Array;
  piece: number;
  pieces: number;
  amounts: Amounts;
  id: string;
}

export const liabilityLeaf = (salt: Uint8Array, { secret, piece, pieces, amounts, id }: Leaf): Uint8Array =>
  sha256(
    concat(
      Uint8Array.of(0),
      salt,
      secret,
      bigEndian(BigInt(piece), 4),
      bigEndian(BigInt(pieces), 4),
      amountBytes(amounts),
      utf8(id),
    ),
  );

export interface SumNode {
  hash: Uint8Array;
  amounts: Amounts;
}

/** The node above two others. Both sides' sums are hashed, each on its own: their total alone would let one hide. */
export function liabilityNode(
  salt: Uint8Array,
  height: number,
  left: SumNode,
  right: SumNode,
): SumNode | Wrong {
  const amounts = add(left.amounts, right.amounts);
  if (isWrong(amounts)) return amounts;
  const parts = [left.hash, amountBytes(left.amounts), right.hash, amountBytes(right.amounts)];
  return { hash: sha256(concat(Uint8Array.of(1), salt, Uint8Array.of(height), ...parts)), amounts };
}

/** Sums stay within what eight bytes hold, so that none can run over and come out small. */
function add(one: Amounts, other: Amounts): Amounts | Wrong {
  const sums: Amounts = [one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]];
  return isWithin(sums)
    ? sums
    : { wrong: 'The sums on the way to the total are larger than any sum may be.' };
}

const isWithin = (amounts: Amounts) =>
  amounts.every((amount) => amount <= amountMax) &&
  amounts.reduce((sum, each) => sum + each, 0n) <= amountMax;

function amountsOf(texts: readonly string[]): Amounts | null {
  const [wallet, invested, profit, withdrawing] = texts.map(wholeOf);
  if (texts.length !== 4 || wallet == null || invested == null || profit == null || withdrawing == null)
    return null;
  const amounts: Amounts = [wallet, invested, profit, withdrawing];
  return isWithin(amounts) ? amounts : null;
}

const hashOf = (text: string): Uint8Array | null => (text.length === 64 ? fromHex(text) : null);

export interface PiecesToCheck {
  books: Books;
  /** The log's, from its checkpoint. */
  origin: string;
  /** As the reader knows it. Never what a file says: one leaf could otherwise be shown to two people. */
  id: string;
  secret: string;
  pieces: readonly Piece[];
}

const piecesMax = 10_000;

/** Follows each piece up to the root that was published, and adds up what all of them say is mine. */
export function checkPieces({
  books,
  origin,
  id,
  secret,
  pieces,
}: PiecesToCheck): { amounts: Amounts } | Wrong {
  const secretBytes = hashOf(secret);
  const idLength = utf8(id).length;
  if (idLength < 1 || idLength > 255 || !id.isWellFormed()) {
    return { wrong: 'Without an e-mail address nobody can be found in the total.' };
  }
  if (!secretBytes) return { wrong: 'The secret of the proof is not 64 hexadecimal digits.' };
  if (pieces.length < 1) return { wrong: 'The proof has no piece of the total in it.' };
  if (pieces.length > piecesMax) return { wrong: 'The proof has more pieces than anyone needs.' };
  const salt = statementSalt(origin, books.number, books.time);
  const leaf = { secret: secretBytes, pieces: pieces.length, id };

  const seen = new Set<number>();
  let mine: Amounts = [0n, 0n, 0n, 0n];
  for (const [at, piece] of pieces.entries()) {
    const { index } = piece;
    if (!Number.isSafeInteger(index) || index < 0 || index >= 2 ** books.depth) {
      return { wrong: `Piece ${at + 1} stands at a place that the tree does not have.` };
    }
    if (seen.has(index)) return { wrong: `Piece ${at + 1} is counted twice.` };
    seen.add(index);
    const amounts = amountsOf(piece.amounts);
    if (!amounts) return { wrong: `Piece ${at + 1} has amounts that are none.` };
    const hash = liabilityLeaf(salt, { ...leaf, piece: at, amounts });
    const top = climb(salt, books.depth, piece, { hash, amounts });
    if (isWrong(top)) return { wrong: `Piece ${at + 1}: ${top.wrong}` };
    const reached = reachedTotal(books, top);
    if (reached) return { wrong: `Piece ${at + 1} ${reached}` };
    const sum = add(mine, amounts);
    if (isWrong(sum)) return sum;
    mine = sum;
  }
  return { amounts: mine };
}

function climb(salt: Uint8Array, depth: number, { index, path }: Piece, leaf: SumNode): SumNode | Wrong {
  if (path.length !== depth) return { wrong: `its path has ${path.length} steps and must have ${depth}.` };
  let node = leaf;
  for (const [height, step] of path.entries()) {
    const [hash, amounts] = [hashOf(step.hash), amountsOf(step.amounts)];
    if (!hash || !amounts) return { wrong: `step ${height + 1} of its path is not a hash and four amounts.` };
    const beside = { hash, amounts };
    const isRight = Math.floor(index / 2 ** height) % 2 === 1;
    const above = isRight
      ? liabilityNode(salt, height + 1, beside, node)
      : liabilityNode(salt, height + 1, node, beside);
    if (isWrong(above)) return above;
    node = above;
  }
  return node;
}

function reachedTotal({ root, owed }: Books, top: SumNode): string | null {
  const other = amountNames.findIndex((_, kind) => top.amounts[kind] !== owed[kind]);
  if (other >= 0) {
    const [led, published] = [dollars(top.amounts[other] ?? 0n), dollars(owed[other] ?? 0n)];
    return `leads to another total than was published: ${amountNames[other]} ${led} and not ${published}.`;
  }
  return sameBytes(top.hash, root)
    ? null
    : 'is not in the total that was published: its hashes do not lead to the root.';
}
