import { expect, test } from 'vitest';
import { secondsToNextCode } from './code-field.tsx';

test('a code lasts to the next half minute', () => {
  const at = (clock: string) => secondsToNextCode(Date.parse(`2026-11-15T09:12:${clock}Z`), 30);
  expect(at('00.000')).toBe(30);
  expect(at('00.999')).toBe(30);
  expect(at('12.400')).toBe(18);
  expect(at('29.999')).toBe(1);
  expect(at('30.000')).toBe(30);
  expect(at('59.000')).toBe(1);
});
