import { expect, test } from 'vitest';
import { hindrancesOf, whatHappens } from './closing-words.ts';

const empty = {
  ready: true,
  available: 0,
  invested: 0,
  withdrawing: 0,
  deposits: 0,
  corrections: 0,
  frozen: false,
  leave: 0,
  keptdays: 30,
};

test('nothing is in the way of an empty account, nor what can be left', () => {
  expect(hindrancesOf(empty)).toEqual([]);
  expect(hindrancesOf({ ...empty, available: 0.37, leave: 0.37 })).toEqual([]);
});

test('everything that is in the way is named, with where it is cleared', () => {
  const full = {
    ...empty,
    available: 10,
    invested: 5,
    withdrawing: 3,
    deposits: 2,
    corrections: 1,
    frozen: true,
  };
  expect(hindrancesOf(full).map(({ value }) => value)).toEqual([
    '$10.00',
    '$5.00',
    '$3.00',
    '2 deposits',
    '1 correction',
    'Paused',
  ]);
  for (const { advice, to, place } of hindrancesOf(full)) {
    expect(advice).toMatch(/\.$/);
    expect(to === undefined).toBe(place === undefined);
  }
});

test('it is said for how long the address is kept', () => {
  expect(whatHappens({ ...empty, keptdays: 1 }).join(' ')).toContain('kept for 1 day,');
});
