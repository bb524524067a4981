import { expect, it } from 'vitest';
import { movementIdOf } from './key-rules.ts';

it('a movement’s id is the beginning of its key’s hash, as a UUID of one’s own making, and another for each person', () => {
  // printf 'ada\nk1' | sha256sum
  expect(movementIdOf({ scope: 'ada', key: 'k1' })).toBe('d1a50629-4b20-8a3e-a46a-49be377f93ce');
  expect(movementIdOf({ scope: 'bob', key: 'k1' })).not.toBe(movementIdOf({ scope: 'ada', key: 'k1' }));
});
