import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createFigures } from './figures.ts';

/** Figures of a part that answers as it is told, and what is read of them. */
function partThat(ask: () => Promise<number | null>, { keptMs = 0, askMsMax = 150 } = {}) {
  const registry = new Registry();
  const figures = createFigures({ registry, keptMs, askMsMax });
  figures.add({
    name: 'part',
    ask,
    figures: [
      { name: 'plain', help: 'One.', of: (n) => n },
      { name: 'each', help: 'Several.', labels: ['of'], of: (n) => [[{ of: 'a' }, n]] },
    ],
  });
  figures.add({ name: 'other', ask: () => 1, figures: [{ name: 'other', help: 'Other.', of: (n) => n }] });
  return async () => {
    await figures.gather();
    const lines = (await registry.metrics()).split('\n');
    return lines.filter((line) => /^[a-z]/.test(line)).sort();
  };
}

const known = (n: number) => [
  `each{of="a"} ${n}`,
  'other 1',
  `plain ${n}`,
  'tallystick_part_answered{part="other"} 1',
  'tallystick_part_answered{part="part"} 1',
];
const unknown = [
  'other 1',
  'plain Nan',
  'tallystick_part_answered{part="other"} 1',
  'tallystick_part_answered{part="part"} 0',
];

it('what fails is unknown, and the rest is told all the same', async () => {
  const read = partThat(() => Promise.reject(new Error('away')));
  expect(await read()).toEqual(unknown);
});

it('what hangs is waited for no longer than agreed, asked once, and told when it has answered', async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  let asked = 0;
  const read = partThat(() => {
    asked += 1;
    return promise;
  });
  expect([await read(), await read()]).toEqual([unknown, unknown]);
  expect(asked).toBe(1);
  resolve(7);
  expect(await read()).toEqual(known(7));
});

it('however many ask, it is looked up once in a while', async () => {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return asked;
  };
  const kept = partThat(ask, { keptMs: 60_000, askMsMax: 10_000 });
  expect(await Promise.all([kept(), kept(), kept()])).toEqual([known(1), known(1), known(1)]);
  expect(await kept()).toEqual(known(1));
  expect(asked).toBe(1);
  const fresh = partThat(ask, { askMsMax: 10_000 });
  expect([await fresh(), await fresh()]).toEqual([known(2), known(3)]);
});
