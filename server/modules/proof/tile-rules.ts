import { type Amounts, amountsAt, fold, nodeBytes, siblings, type TreeHash } from './rules.ts';
import type { createSecrets } from './secret-rules.ts';

/**
 * The tree in rows of 256 nodes. Of the leaves only those that are somebody's are kept; the others follow from the key.
 * Of the nodes above them every eighth level is kept: what lies between is computed when it is asked for.
 */
const tileBits = 8;
export const tileWidth = 2 ** tileBits;
/** In front of a kept leaf stands its place among the 256. */
export const keptLeafBytes = 1 + nodeBytes;

export interface Tile {
  level: number;
  number: number;
  nodes: Buffer;
}

type Secrets = ReturnType<typeof createSecrets>;

const nothing = Buffer.alloc(32);
const nobody = Buffer.alloc(0);

export interface Tree {
  hash: TreeHash;
  secrets: Secrets;
  depth: number;
}

/** All 256 leaves: those that are kept, and between them those that are nobody's. */
function wholeTile(
  { hash, secrets }: Tree,
  number: number,
  kept: Uint8Array,
  nodes = Buffer.alloc(tileWidth * nodeBytes),
): Buffer {
  const pads = secrets.ofPads(number * tileWidth, tileWidth);
  let next = 0;
  for (let place = 0; place < tileWidth; place += 1) {
    if (next < kept.length && kept[next] === place) {
      nodes.set(kept.subarray(next + 1, next + keptLeafBytes), place * nodeBytes);
      next += keptLeafBytes;
    } else {
      const secret = pads.subarray(32 * place, 32 * (place + 1));
      const pad = { secret, piece: 0, pieces: 1, amounts: nothing, id: nobody };
      hash.leaf(nodes, place * nodeBytes, pad);
    }
  }
  if (next !== kept.length) throw new Error('leaves are not in the order of their places');
  return nodes;
}

/** Takes the rows of leaves from the first to the last, and gives what is kept above them as soon as it is known. */
export function createGrowth(tree: Tree) {
  const { hash, depth } = tree;
  /** One row of leaves after the other is made here, and used up. */
  const leaves = Buffer.alloc(tileWidth * nodeBytes);
  /** Of each level the nodes that are known and in no full row yet, and how many rows were full before. */
  const growing: { nodes: Buffer[]; full: number }[] = [];
  let rows = 0;

  /** One more node on a level above the leaves; what becomes full grows into the level above it. */
  function grow(level: number, node: Buffer, done: Tile[]): void {
    growing[level] ??= { nodes: [], full: 0 };
    const row = growing[level];
    row.nodes.push(node);
    const isRoot = tileBits * level >= depth;
    if (isRoot || row.nodes.length < Math.min(tileWidth, 2 ** (depth - tileBits * level))) return;
    const nodes = Buffer.concat(row.nodes);
    done.push({ level, number: row.full, nodes: Buffer.copyBytesFrom(nodes) });
    row.nodes = [];
    row.full += 1;
    grow(level + 1, fold(hash, nodes, tileBits * level), done);
  }

  function addRow(kept: Uint8Array, done: Tile[]): void {
    wholeTile(tree, rows, kept, leaves);
    rows += 1;
    grow(1, Buffer.copyBytesFrom(fold(hash, leaves, 0)), done);
  }

  return {
    /** A row that is somebody's; those that were passed over are nobody's. */
    add(number: number, kept: Uint8Array): Tile[] {
      const done: Tile[] = [];
      while (rows < number) addRow(nobody, done);
      addRow(kept, done);
      return done;
    },

    /** The last of what is nobody's, and the root. */
    end(): { tiles: Tile[]; root: Buffer } {
      const done: Tile[] = [];
      while (rows < 2 ** (depth - tileBits)) addRow(nobody, done);
      const root = growing.at(-1)?.nodes[0];
      if (!root) throw new Error('a tree has no root');
      return { tiles: done, root };
    },
  };
}

/** Which rows a leaf's way up leads through, and where. */
export function wayUp(place: number, depth: number): { level: number; number: number; index: number }[] {
  const way = [];
  for (let level = 0; tileBits * level < depth; level += 1) {
    const at = Math.floor(place / tileWidth ** level);
    way.push({ level, number: Math.floor(at / tileWidth), index: at % tileWidth });
  }
  return way;
}

/** What stands beside a leaf's way up, from the leaf on. */
export function pathOf(tree: Tree, place: number, tileOf: (level: number, number: number) => Buffer) {
  const way = wayUp(place, tree.depth);
  return way.flatMap(({ level, number, index }) => {
    const kept = tileOf(level, number);
    const row = level === 0 ? wholeTile(tree, number, kept) : Buffer.copyBytesFrom(kept);
    return siblings(tree.hash, row, index, tileBits * level);
  });
}

/** What one of the kept leaves of a row is of. */
export function amountsOfKept(kept: Buffer, place: number): Amounts {
  for (let at = 0; at < kept.length; at += keptLeafBytes)
    if (kept[at] === place % tileWidth) return amountsAt(kept, at + 1 + 32);
  throw new Error('a leaf is not in its row');
}
