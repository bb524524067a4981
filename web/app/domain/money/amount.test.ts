import { toWire } from '@tallystick/contract/money';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { centsOf } from './amount.ts';

test('every amount finds its cents again after its way over the wire', () => {
  fc.assert(
    fc.property(fc.bigInt(-100_000_000_000n, 100_000_000_000n), (cents) => {
      expect(centsOf(toWire(cents))).toBe(cents);
    }),
  );
});
