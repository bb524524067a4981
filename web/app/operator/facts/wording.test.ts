import { expect, it } from 'vitest';
import { coverageText } from './wording.ts';

it('coverage is what is held for every dollar owed', () => {
  expect(coverageText(128_431_020n, 114_670_554n)).toBe('112.0%');
  expect(coverageText(0n, 100n)).toBe('0.0%');
  expect(coverageText(1_234_567n, 100n)).toBe('1,234,567.0%');
  expect(coverageText(100n, 0n)).toBeNull();
});
