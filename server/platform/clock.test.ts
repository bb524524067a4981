import { expect, it } from 'vitest';
import { dayMs, isoOf } from './clock.ts';

it('spells a moment as it is, also the second time and whatever was spelt in between', () => {
  const begun = Date.UTC(2026, 10, 19, 14, 30);
  const days = Array.from({ length: 200 }, (_, n) => begun + n * dayMs);
  const near = Array.from({ length: 200 }, (_, n) => begun + n);
  // The first moment of all comes first: where no other file ran before, nothing was spelt yet.
  const odd = [0, -1, 1, -begun, 8_640_000_000_000_000, -8_640_000_000_000_000];
  for (const ms of [...odd, ...days, ...near, ...odd]) {
    const spelt = new Date(ms).toISOString();
    expect([isoOf(new Date(ms)), isoOf(new Date(ms))]).toEqual([spelt, spelt]);
  }
});

it('spells no moment that is none', () => {
  for (let times = 0; times < 2; times += 1) expect(() => isoOf(new Date(Number.NaN))).toThrow(RangeError);
});
