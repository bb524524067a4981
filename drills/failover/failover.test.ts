import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { missingPackages } from '../../ops/cluster/programs.ts';
import { drillOf } from '../run-drill.ts';
import { whyNotApart } from './apart.ts';
import { faultKinds, faultOf } from './faults.ts';
import { lateWrites } from './watch.ts';

const drill = drillOf(fileURLToPath(new URL('main.ts', import.meta.url)), '--clients', '3', '--minutes', '4');

/** Its first two faults are a switchover and a kill whose senders hang before: the quickest two. */
const seed = 7;

const missing = missingPackages();
const isLong = process.env.PROOFS === 'full';
const why =
  (missing.length > 0 ? `missing: ${missing.join(', ')}` : whyNotApart()) ??
  (isLong ? null : 'only in the long run, npm run test:full');
const leftOut = why ? ` (left out: ${why})` : '';

it.runIf(why === null)(
  `2 failovers of a cluster lose nothing that was acknowledged, and do nothing twice${leftOut}`,
  async () => {
    const { code, all, last } = await drill('--times', '2', '--seed', String(seed));
    expect(all).not.toContain('WRONG');
    expect(last).toMatch(/^failovers 2, acknowledged [1-9]\d*, lost 0, doubled 0, writes back p50 /);
    expect(code).toBe(0);
  },
  420_000,
);

describe('faults', () => {
  it('are those of their seed and number, and every five have one of each kind', () => {
    const ten = Array.from({ length: 10 }, (_, number) => faultOf(seed, number));
    expect(faultOf(seed, 7)).toEqual(ten[7]);
    for (const five of [ten.slice(0, 5), ten.slice(5)]) {
      expect(five.map(({ kind }) => kind).sort()).toEqual([...faultKinds].sort());
    }
    expect(ten.slice(0, 2).map(({ kind }) => kind)).toEqual(['switchover', 'kill']);
  });
});

describe('a write of an older primary', () => {
  const written = (timeline: number, from: number, to: number) => ({
    node: `node${timeline}`,
    key: from,
    timeline,
    from,
    to,
  });

  it('is late when it was begun after a newer one had acknowledged something', () => {
    const late = written(1, 31, 40);
    expect(lateWrites([written(1, 0, 10), written(2, 20, 30), late, written(2, 35, 45)])).toEqual([late]);
  });

  it('is not late when it was on its way already', () => {
    expect(lateWrites([written(1, 0, 10), written(2, 20, 30), written(1, 25, 60)])).toEqual([]);
  });
});
