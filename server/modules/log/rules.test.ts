import { describe, expect, it } from 'vitest';
import { leafOf, tilePath, treeHash } from '../../testing/outside/log-reader.ts';
import {
  appendLeaves,
  bundleOf,
  consistencyRanges,
  createListRoot,
  emptyRoot,
  hashOf,
  isWithin,
  leafHash,
  openTiles,
  parseTileAddress,
  type Tile,
  tilesOf,
} from './rules.ts';

const leaves = Array.from({ length: 70_000 }, (_, at) => leafHash(Buffer.from(`entry ${at}`)));

/** A tree that has grown in steps. */
function grown(sizes: readonly number[]): Tile[] {
  const tiles = new Map<string, Tile>();
  let size = 0;
  for (const next of sizes) {
    const open = openTiles(size).map(({ level, number }) => tiles.get(`${level}/${number}`) as Tile);
    for (const tile of appendLeaves(size, open, leaves.slice(size, next))) {
      tiles.set(`${tile.level}/${tile.number}`, tile);
    }
    size = next;
  }
  return [...tiles.values()];
}

const rootAt = (tiles: readonly Tile[], size: number) => {
  const range = { start: 0, end: size };
  const named = new Set(tilesOf([range]).map(({ level, number }) => `${level}/${number}`));
  return hashOf(
    range,
    tiles.filter(({ level, number }) => named.has(`${level}/${number}`)),
  );
};

describe('the tree', () => {
  it('is hashed as RFC 6962 says', () => {
    expect(emptyRoot.toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    expect(leafHash(Buffer.alloc(0)).toString('hex')).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
    expect(leafHash(Buffer.from('entry 7')).equals(leafOf('entry 7'))).toBe(true);
  });

  it('has the root that its leaves have, whatever steps it has grown in, now and at every size before', () => {
    const tiles = grown([1, 2, 3, 7, 8, 255, 256, 257, 511, 600, 1000]);
    for (const size of [1, 2, 3, 5, 8, 100, 255, 256, 257, 300, 511, 512, 513, 999, 1000]) {
      expect(rootAt(tiles, size).equals(treeHash(leaves.slice(0, size))), String(size)).toBe(true);
    }
  });

  it('has one way of hashing: a list that is read one by one comes to the same root', () => {
    const list = createListRoot();
    expect(list.root()).toBe(emptyRoot.toString('hex'));
    const tiles = grown([300]);
    for (let size = 1; size <= 300; size += 1) {
      list.add(`entry ${size - 1}`);
      expect(list.root(), String(size)).toBe(rootAt(tiles, size).toString('hex'));
    }
  });

  it('of 70,000 leaves has the tiles that tlog-tiles counts for it', () => {
    const tiles = grown([65_535, 65_536, 70_000]);
    const widths = (level: number) =>
      tiles.filter((tile) => tile.level === level).map(({ hashes }) => hashes.length / 32);
    expect([widths(0).length, widths(0).at(-1)]).toEqual([274, 112]);
    expect([widths(1).sort((a, b) => b - a), widths(2)]).toEqual([[256, 17], [1]]);
    expect(rootAt(tiles, 70_000).equals(treeHash(leaves))).toBe(true);
  });

  it('is not added to when a tile does not fit its size', () => {
    expect(() => appendLeaves(3, [], leaves.slice(0, 1))).toThrow('does not fit');
  });

  it('that was the tree before, or nothing, needs no proof', () => {
    expect([consistencyRanges(0, 9), consistencyRanges(9, 9)]).toEqual([[], []]);
    // The example of RFC 6962, 2.1.3: from 3 to 7 the proof is c, d, g, l.
    expect(consistencyRanges(3, 7)).toEqual([
      { start: 2, end: 3 },
      { start: 3, end: 4 },
      { start: 0, end: 2 },
      { start: 4, end: 7 },
    ]);
  });
});

describe('the address of a tile', () => {
  it('is read as it is written', () => {
    const cases = [
      [0, 0, 256],
      [1, 5, 1],
      ['entries', 1_234_067, 255],
      [63, 999_000, 256],
    ] as const;
    for (const [level, number, width] of cases) {
      const path = tilePath(level, number, width).slice('/log/tile/'.length);
      expect(parseTileAddress(path), path).toEqual({ level, number, width });
    }
  });

  it.each([
    '',
    '0',
    '0/',
    '0/0',
    '0/00',
    '0/0000',
    '00/000',
    '64/000',
    '-1/000',
    'data/000',
    '8/0/000',
    '0/000/',
    '0/000.p',
    '0/000.p/',
    '0/000.p/0',
    '0/000.p/01',
    '0/000.p/256',
    '0/000.p/1/',
    '0/000?',
    '0/x000/001',
    '0/001/002',
    '0/x001',
    '0/X001/002',
    '0/%30%30%30',
    '0/000 ',
    '0/000\n',
    ' 0/000',
    '0/x001/x001/x001/x001/x001/001',
    'entries/000.P/1',
    '../checkpoint',
    '1e1/000',
  ])('is not spelled %j', (path) => {
    expect(parseTileAddress(path)).toBeNull();
  });

  it('is within the log up to its size and not beyond', () => {
    const within = (size: number, path: string) => {
      const address = parseTileAddress(path);
      return address !== null && isWithin(size, address);
    };
    expect([within(255, '0/000'), within(255, '0/000.p/255'), within(254, '0/000.p/255')]).toEqual([
      false,
      true,
      false,
    ]);
    expect([within(256, '0/000'), within(256, '1/000.p/1'), within(256, '1/000.p/2')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([within(256, '0/001.p/1'), within(0, '0/000.p/1'), within(256, '2/000.p/1')]).toEqual([
      false,
      false,
      false,
    ]);
    expect([within(300, 'entries/001.p/44'), within(300, 'entries/001.p/45')]).toEqual([true, false]);
  });
});

it('a bundle has every entry’s length in bytes before it', () => {
  expect(bundleOf(['a\n', 'é\n']).toString('hex')).toBe(`0002${'610a'}0003${'c3a90a'}`);
});
