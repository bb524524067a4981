import { expect, test } from 'vitest';
import { coinOf } from './coin-of.ts';

test('a method is found by its coin or by its network', () => {
  expect(['bitcoin', 'bnb', 'xrp', 'dollar'].map(coinOf)).toEqual(['bitcoin', 'binancecoin', 'ripple', null]);
});
