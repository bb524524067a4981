import { expect, it } from 'vitest';
import { dayMs, isoOf } from './clock.ts';

it('spells a moment as it is, whatever was spelt before it', () => {
  const begun = Date.UTC(2026, 10, 19, 14, 30);
  const days = Array.from({ length: 200 }, (_, n) => begun + n * dayMs);
  const near = Array.from({ length: 200 }, (_, n) => begun + n);
  const odd = [0, -1, 1, -begun, 8_640_000_000_000_000, -8_640_000_000_000_000];
  for (let times = 0; times < 2; times += 1) {
    for (const ms of [...days, ...near, ...odd]) expect(isoOf(new Date(ms))).toBe(new Date(ms).toISOString());
  }
});

it('spells no moment that is none', () => {
  expect(() => isoOf(new Date(Number.NaN))).toThrow(RangeError);
  expect(() => isoOf(new Date(Number.NaN))).toThrow(RangeError);
});
