import type { Amounts, Books } from '@tallystick/verify/books';
import { fromHex, sameBytes, utf8 } from '@tallystick/verify/bytes';
import { parseEntry } from '@tallystick/verify/entries';
import { liabilityLeaf, liabilityNode, type SumNode, statementSalt } from '@tallystick/verify/liabilities';
import { type Wrong, wholeOf } from '@tallystick/verify/plain';
import type { Findings } from './audit.ts';

interface Leaf {
  index: number;
  secret: Uint8Array;
  piece: number;
  pieces: number;
  amounts: Amounts;
  id: string;
}

/** A leaf as the export has it; null when it is none. */
function readLeaf(line: string): Leaf | null {
  const { index, secret, piece, pieces, amounts, id } = JSON.parse(line) ?? {};
  const secretBytes = typeof secret === 'string' && secret.length === 64 ? fromHex(secret) : null;
  const areCounts = [index, piece, pieces].every((count) => Number.isSafeInteger(count) && count >= 0);
  const texts: unknown[] = Array.isArray(amounts) ? amounts : [];
  const cents = texts.map((text) => (typeof text === 'string' ? wholeOf(text) : null));
  const [wallet, invested, profit, withdrawing] = cents;
  if (!secretBytes || !areCounts || typeof id !== 'string' || cents.length !== 4) return null;
  if (wallet == null || invested == null || profit == null || withdrawing == null) return null;
  if (piece >= pieces || utf8(id).length > 255) return null;
  return { index, secret: secretBytes, piece, pieces, amounts: [wallet, invested, profit, withdrawing], id };
}

/** Whose pieces have been seen: each must be there once, all of them, with one secret. */
function pieceCounter() {
  const people = new Map<string, { secret: Uint8Array; pieces: number; seen: Set<number> }>();
  return {
    people,
    add({ id, secret, piece, pieces, amounts }: Leaf): string | null {
      if (id === '') {
        const isPad = piece === 0 && pieces === 1 && amounts.every((amount) => amount === 0n);
        return isPad ? null : 'is nobody’s and holds something';
      }
      const known = people.get(id) ?? { secret, pieces, seen: new Set<number>() };
      people.set(id, known);
      if (known.pieces !== pieces || !sameBytes(known.secret, secret) || known.seen.has(piece)) {
        return `does not fit to the other pieces of ${id}`;
      }
      known.seen.add(piece);
      return null;
    },
    missing: () => [...people].filter(([, { pieces, seen }]) => seen.size !== pieces).map(([id]) => id),
  };
}

/** Joins leaves as they come, so that only one node of each height is kept. */
function growing(salt: Uint8Array) {
  const nodes: { height: number; node: SumNode }[] = [];
  return {
    nodes,
    add(leaf: SumNode): string | null {
      let [height, node] = [0, leaf];
      for (let left = nodes.at(-1); left?.height === height; left = nodes.at(-1)) {
        nodes.pop();
        height += 1;
        const above = liabilityNode(salt, height, left.node, node);
        if ('wrong' in above) return above.wrong;
        node = above;
      }
      nodes.push({ height, node });
      return null;
    },
  };
}

function statementNumbered(entries: readonly string[], number: unknown): Books | null {
  for (const text of entries) {
    const entry = parseEntry(text);
    if (!('wrong' in entry) && entry.books?.number === number) return entry.books;
  }
  return null;
}

/** Recomputes a statement's root and totals from all of its leaves, and compares them with what the log says. */
export function checkLiabilities(lines: Iterable<string>, origin: string, found: Findings): void {
  const result = recompute(lines, origin, found.entries);
  if ('wrong' in result) found.wrong.push(`The liabilities: ${result.wrong}`);
  else found.holds.push(result.holds);
}

function recompute(
  lines: Iterable<string>,
  origin: string,
  entries: readonly string[],
): { holds: string } | Wrong {
  let books: Books | null = null;
  let [count, salt] = [0, new Uint8Array()];
  let tree = growing(salt);
  const counter = pieceCounter();
  for (const line of lines) {
    if (!books) {
      // Under its name of then, which the export tells: a false one leads to another root.
      const { number, origin: named } = JSON.parse(line) ?? {};
      books = statementNumbered(entries, number);
      if (!books) return { wrong: `the log has no statement ${number}.` };
      salt = new Uint8Array(
        statementSalt(typeof named === 'string' ? named : origin, books.number, books.time),
      );
      tree = growing(salt);
      continue;
    }
    const leaf = readLeaf(line);
    if (leaf?.index !== count) return { wrong: `leaf ${count} is not one.` };
    const why = counter.add(leaf) ?? tree.add({ hash: liabilityLeaf(salt, leaf), amounts: leaf.amounts });
    if (why) return { wrong: `leaf ${count} ${why}.` };
    count += 1;
  }
  const [top, ...more] = tree.nodes;
  if (!books || !top || more.length > 0 || top.height !== books.depth) {
    return { wrong: `there are ${count} leaves, which is not the tree that the statement tells of.` };
  }
  const [someone] = counter.missing();
  if (someone !== undefined) return { wrong: `a piece of ${someone} is missing.` };
  const { amounts, hash } = top.node;
  if (amounts.some((cents, kind) => cents !== books?.owed[kind])) {
    return { wrong: `they come to ${amounts.join(' ')}, and the log says ${books.owed.join(' ')}.` };
  }
  if (!sameBytes(hash, books.root)) return { wrong: 'they do not lead to the root that the log has.' };
  const { number } = books;
  return {
    holds: `${count} leaves of ${counter.people.size} investors come to root and totals of statement ${number}.`,
  };
}
