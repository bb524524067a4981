import { describe, expect, it } from 'vitest';
import { hexOf, textOf, utf8 } from './bytes.ts';
import { leafHash, rootOf } from './merkle.ts';
import { bundlesOf, consistencyProof, flipped, inclusionProof, tilesOf } from './testing/tree.ts';
import {
  bundleEntries,
  consistencyFrom,
  entriesPath,
  inclusionFrom,
  type ReadTile,
  tilePath,
} from './tiles.ts';

const leavesOf = (size: number) => Array.from({ length: size }, (_, at) => leafHash(utf8(`entry ${at}`)));
const reading =
  (files: ReadonlyMap<string, Uint8Array>): ReadTile =>
  async (path) => {
    const found = files.get(path);
    if (!found) throw new Error(`${path} is not there`);
    return found;
  };
const hex = (hashes: Uint8Array[]) => hashes.map(hexOf);

describe('the paths of tiles', () => {
  it.each([
    [tilePath(0, 0, 256), 'tile/0/000'],
    [tilePath(0, 273, 112), 'tile/0/273.p/112'],
    [tilePath(1, 0, 1), 'tile/1/000.p/1'],
    [tilePath(2, 1_234_067, 256), 'tile/2/x001/x234/067'],
    [entriesPath(1000, 7), 'tile/entries/x001/000.p/7'],
  ])('%s is %s', (made, path) => expect(made).toBe(path));
});

describe('a bundle', () => {
  it('has its entries behind their lengths', () => {
    const entries = ['books/v1\nnumber 1\n', '', 'x'.repeat(300)];
    const [bundle] = [...bundlesOf(entries).values()];
    const found = bundleEntries(bundle ?? utf8(''));
    expect(Array.isArray(found) && found.map(textOf)).toEqual(entries);
  });

  it.each([[[0]], [[0, 3, 65, 66]], [[0, 1, 65, 9]]])('that is cut off is none: %o', (cut) => {
    expect(bundleEntries(Uint8Array.from(cut))).toHaveProperty('wrong');
  });
});

/** Of a large log the first is enough: the plain tree takes its time. */
const some = (all: number[], size: number) => new Set(size > 1000 ? all.slice(0, 1) : all);

describe.each([1, 2, 7, 255, 256, 257, 1000, 70_000])('a log of %i entries', (size) => {
  const hashes = leavesOf(size);
  const root = rootOf(hashes);
  const files = tilesOf(hashes);

  it('gives the proof of a place that the plain tree gives', async () => {
    for (const index of some([Math.floor(size / 3), 0, size - 1], size)) {
      const found = await inclusionFrom(reading(files), { index, size, root });
      if ('wrong' in found) throw new Error(found.wrong);
      expect(hex(found.proof)).toEqual(hex(inclusionProof(hashes, index)));
    }
  });

  it('gives the proof of growth that the plain tree gives', async () => {
    for (const oldSize of some([Math.ceil(size / 3), 1, Math.max(size - 1, 1), size], size)) {
      const oldRoot = rootOf(hashes.slice(0, oldSize));
      const found = await consistencyFrom(reading(files), { oldSize, oldRoot, newSize: size, newRoot: root });
      if ('wrong' in found) throw new Error(found.wrong);
      expect(hex(found.proof)).toEqual(hex(consistencyProof(hashes, oldSize)));
    }
  });

  it('with one bit of any used tile changed gives no proof', async () => {
    const index = Math.floor(size / 3);
    const used: string[] = [];
    const noting: ReadTile = (path) => {
      used.push(path);
      return reading(files)(path);
    };
    await inclusionFrom(noting, { index, size, root });
    expect(used.length).toBeGreaterThan(0);
    for (const path of used) {
      const tile = files.get(path) ?? utf8('');
      for (const bit of [0, tile.length * 8 - 1]) {
        const altered = new Map(files).set(path, flipped(tile, bit));
        expect(await inclusionFrom(reading(altered), { index, size, root }), path).toHaveProperty('wrong');
      }
    }
  });
});

describe('a log from tiles', () => {
  const hashes = leavesOf(600);
  const [size, root] = [600, rootOf(hashes)];

  it('does not prove another past', async () => {
    const other = rootOf(leavesOf(599).with(3, leafHash(utf8('something else'))));
    const grown = { oldSize: 599, oldRoot: other, newSize: size, newRoot: root };
    expect(await consistencyFrom(reading(tilesOf(hashes)), grown)).toEqual({
      wrong: 'The log no longer begins with the 599 entries that it had before.',
    });
  });

  it('that is shorter than it was says so', async () => {
    const shrunk = { oldSize: 601, oldRoot: root, newSize: size, newRoot: root };
    expect(await consistencyFrom(reading(new Map()), shrunk)).toEqual({
      wrong: 'The log had 601 entries before and shows only 600 now.',
    });
  });

  it('says when a tile has another length, and passes on that one could not be read', async () => {
    const files = new Map(tilesOf(hashes)).set('tile/0/002.p/88', new Uint8Array(31));
    expect(await inclusionFrom(reading(files), { index: 5, size, root })).toEqual({
      wrong: 'tile/0/002.p/88 has 31 bytes and must have 2816.',
    });
    await expect(inclusionFrom(reading(new Map()), { index: 5, size, root })).rejects.toThrow('is not there');
    expect(await inclusionFrom(reading(files), { index: 600, size, root })).toHaveProperty('wrong');
  });
});
