import { expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../testing/clock.ts';
import { becameOf, remindersDue, removalRules } from './rules.ts';

const dueAt = new Date('2026-11-24T12:00:00Z');
const before = (ms: number) => new Date(dueAt.getTime() - ms);

it('reminds in the middle of the time and when a day is left', () => {
  expect(removalRules.waitMs).toBe(7 * dayMs);
  const middle = 84 * hourMs;
  const counts = [removalRules.waitMs, middle + 1, middle, dayMs + 1, dayMs, 0].map((ms) =>
    remindersDue(dueAt, before(ms)),
  );
  expect(counts).toEqual([0, 0, 1, 1, 2, 2]);
});

it('says what became of one', () => {
  const ends = [null, 'discarded', 'stopped', 'factor-shown', 'done'] as const;
  expect(ends.map((endedHow) => becameOf({ endedHow }))).toEqual([
    'This removal was agreed to',
    'This removal was discarded',
    'This removal was stopped',
    'This removal was stopped',
    'The second factors were removed',
  ]);
});
