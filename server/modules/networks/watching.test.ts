import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Chain } from '../../platform/chains/chain.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { firstWhere } from './rules.ts';
import { createWatching } from './watching.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

/** The hashes of a chain, which a test may change as it likes. */
let hashes: string[];
let asked: number[];
const branch = (name: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, above) => `${name} ${from + above}`);

const chain: Chain = {
  spanMax: 100,
  async tip() {
    const height = hashes.length - 1;
    return { height, hash: hashes[height] ?? '', isBehind: false };
  },
  async hashAt(height) {
    asked.push(height);
    return hashes[height] || null;
  },
  blocks: async ({ from, to }) =>
    Array.from({ length: to - from + 1 }, (_, above) => ({
      height: from + above,
      hash: hashes[from + above] ?? '',
      parentHash: hashes[from + above - 1] ?? '',
      time: new Date(),
      payments: [],
      spends: [],
    })),
};

async function readAll(): Promise<number> {
  const { db } = test.context;
  const { step } = createWatching({
    db,
    clock: test.clock,
    network: 'bnb',
    chainName: 'in memory',
    chain,
    addressOf: (key) => key,
    watched: {
      current: async () => ({ destinations: new Set<string>(), coins: new Set() }),
      idOf: () => null,
    },
    onGone: async () => {},
  });
  let last = await step();
  while (last.done === 'read') last = await step();
  const { rows } = await test.context.owner.query('select height, hash from network_cursors');
  expect(rows[0].hash).toBe(hashes[rows[0].height]);
  return rows[0].height;
}

describe('a chain that goes another way', () => {
  beforeEach(async () => {
    await test.context.owner.query('delete from network_blocks');
    await test.context.owner.query('delete from network_cursors');
    asked = [];
    hashes = branch('one', 0, 20);
    await readAll();
    hashes = branch('one', 0, 980);
    expect(await readAll()).toBe(980);
    asked = [];
  });

  it.each([1, 2, 7, 100, 900])(
    'a branch that began %i blocks ago is found with few questions',
    async (depth) => {
      hashes = [...branch('one', 0, 980 - depth), ...branch('two', 981 - depth, 985)];
      expect(await readAll()).toBe(985);
      expect(asked.length).toBeLessThan(40);
    },
  );

  it('a node that lacks a block in between is asked again later; nothing is taken back on its word', async () => {
    hashes = [...branch('one', 0, 979), ...branch('two', 980, 985)];
    hashes[979] = '';
    await expect(readAll()).rejects.toMatchObject({ trouble: 'no-block' });
    const { rows } = await test.context.owner.query('select height, hash from network_cursors');
    expect(rows).toEqual([{ height: 980, hash: 'one 980' }]);
  });

  it('a chain of which no block was read is another', async () => {
    hashes = branch('two', 0, 985);
    await expect(readAll()).rejects.toMatchObject({ trouble: 'wrong-chain' });
  });
});

it.each([0, 1, 2, 3, 10, 1000])('the first of %i is found wherever it is', async (count) => {
  const row = Array.from({ length: count }, (_, at) => at);
  for (const first of new Set([0, 1, 2, 5, count - 1, count])) {
    if (first < 0) continue;
    const found = await firstWhere(row, async (at) => at >= first);
    expect(found).toBe(first < count ? first : undefined);
  }
});
