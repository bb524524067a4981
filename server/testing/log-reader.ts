import { createHash } from 'node:crypto';
import { expect } from 'vitest';

/** Reads a served log as a stranger would, by the text of RFC 6962 and with nothing of the server's own code. */

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** MTH of RFC 6962, word for word. */
export function treeHash(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (only === undefined) return sha256();
  if (leaves.length === 1) return only;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(Buffer.from([1]), treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
}

export const leafOf = (entry: Uint8Array | string): Buffer => sha256(Buffer.from([0]), Buffer.from(entry));

/** `1234067` is `x001/x234/067`. */
export function tilePath(level: number | 'entries', number: number, width = 256): string {
  const groups = String(number)
    .padStart(Math.ceil(String(number).length / 3) * 3, '0')
    .match(/\d{3}/g);
  const name = (groups ?? []).map((group, at, all) => (at < all.length - 1 ? `x${group}` : group)).join('/');
  return `/log/tile/${level}/${name}${width < 256 ? `.p/${width}` : ''}`;
}

function entriesOf(bundle: Buffer): string[] {
  const entries: string[] = [];
  for (let at = 0; at < bundle.length; ) {
    const length = bundle.readUInt16BE(at);
    entries.push(bundle.subarray(at + 2, at + 2 + length).toString());
    at += 2 + length;
  }
  return entries;
}

export function parseNote(note: string) {
  const [text = '', signatures = ''] = note.split('\n\n');
  const [origin = '', size = '', root = ''] = text.split('\n');
  return { text: `${text}\n`, origin, size: Number(size), root, lines: signatures.match(/[^\n]+\n/g) ?? [] };
}

/** The whole log behind the newest checkpoint; fails when its entries, its tiles and its root do not belong together. */
export async function readLog(get: (path: string) => Promise<Buffer | null>) {
  const read = async (path: string) => {
    const found = await get(path);
    expect(found, path).not.toBeNull();
    return found ?? Buffer.alloc(0);
  };
  const note = String(await read('/log/checkpoint'));
  const { size, root } = parseNote(note);
  const entries: string[] = [];
  const leaves: Buffer[] = [];
  for (let number = 0; number * 256 < size; number += 1) {
    const width = Math.min(size - number * 256, 256);
    entries.push(...entriesOf(await read(tilePath('entries', number, width))));
    const tile = await read(tilePath(0, number, width));
    for (let at = 0; at < width; at += 1) leaves.push(tile.subarray(at * 32, at * 32 + 32));
  }
  expect(leaves.map((leaf) => leaf.toString('hex'))).toEqual(
    entries.map((entry) => leafOf(entry).toString('hex')),
  );
  expect(treeHash(leaves).toString('base64')).toBe(root);
  return {
    note,
    size,
    root,
    entries,
    rootAt: (of: number) => treeHash(leaves.slice(0, of)).toString('base64'),
  };
}
