import { createHash } from 'node:crypto';
import type { Amounts } from '../books.ts';
import type { Piece, SumNode } from '../liabilities.ts';

/** For tests alone: the house's side of the tree of what is owed, by Node's own hashes and its own reading of the text. */

export interface Planted {
  secret: string;
  id: string;
  piece: number;
  pieces: number;
  amounts: Amounts;
}

const u64s = (amounts: Amounts) => {
  const bytes = Buffer.alloc(32);
  for (const [at, amount] of amounts.entries()) bytes.writeBigUInt64BE(amount, at * 8);
  return bytes;
};
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const sha = (...parts: Uint8Array[]) =>
  new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest());

export function growTree(
  { origin, number, time }: { origin: string; number: number; time: string },
  planted: Planted[],
) {
  const salt = sha(Buffer.from(`tallystick/liabilities/v1\n${origin}\n${number}\n${time}\n`));
  const leaves: SumNode[] = planted.map(({ secret, id, piece, pieces, amounts }) => ({
    amounts,
    hash: sha(
      Buffer.of(0),
      salt,
      Buffer.from(secret, 'hex'),
      u32(piece),
      u32(pieces),
      u64s(amounts),
      Buffer.from(id),
    ),
  }));
  const rows = [leaves];
  for (let row = leaves; row.length > 1; rows.push(row)) {
    const height = rows.length;
    row = Array.from({ length: row.length / 2 }, (_, at) => {
      const [left, right] = [row[at * 2], row[at * 2 + 1]] as [SumNode, SumNode];
      const amounts = left.amounts.map((amount, kind) => amount + (right.amounts[kind] ?? 0n)) as Amounts;
      const parts = [left.hash, u64s(left.amounts), right.hash, u64s(right.amounts)];
      return { amounts, hash: sha(Buffer.of(1), salt, Buffer.of(height), ...parts) };
    });
  }
  const [top] = rows.at(-1) ?? [];
  if (!top) throw new Error('a tree needs leaves');
  const plain = ({ hash, amounts }: SumNode) => ({
    hash: Buffer.from(hash).toString('hex'),
    amounts: amounts.map(String),
  });
  return {
    top,
    rows,
    pieceAt(index: number): Piece {
      const path = rows.slice(0, -1).map((row, height) => {
        const own = Math.floor(index / 2 ** height);
        return plain(row[own % 2 === 0 ? own + 1 : own - 1] as SumNode);
      });
      return { index, amounts: (planted[index]?.amounts ?? []).map(String), path };
    },
  };
}
