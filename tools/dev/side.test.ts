import { expect, it } from 'vitest';
import { createEchoes } from './side.ts';

it('an error that is told again at once is an echo, after a pause it is another', () => {
  const isEcho = createEchoes(1_000);
  expect(isEcho('9:35:04 PM [vite] Error: no', 5_000)).toBe(false);
  expect(isEcho('const x = <div>;', 5_000)).toBe(false);
  expect(isEcho('9:35:05 PM [vite] Error: no', 5_900)).toBe(true);
  expect(isEcho('Error: const x = <div>;', 6_000)).toBe(true);
  expect(isEcho('const x = <div>;', 7_000)).toBe(false);
});
