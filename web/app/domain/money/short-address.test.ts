import { expect, test } from 'vitest';
import { shortAddress } from './short-address.ts';

test('a long address shows both its ends, a short one itself', () => {
  expect(shortAddress('bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh')).toBe('bc1qxy…hx0wlh');
  expect(shortAddress('rShort')).toBe('rShort');
});
