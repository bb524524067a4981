import { expect, it } from 'vitest';
import { createSlots } from './slots.ts';

const busy = { runningMax: 2, waitingMax: 8, message: 'Busy.', retryAfterSeconds: 5 };

it('nobody who asks again and again keeps the others out', async () => {
  const inSlot = createSlots(busy);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const asked = Array.from({ length: 20 }, () => inSlot(() => end, 'greedy'));
  const refused = Promise.allSettled(asked);
  const other = inSlot(async () => 'done', 'other');
  resolve();
  expect(await other).toBe('done');
  expect((await refused).filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await inSlot(async () => 'again', 'greedy')).toBe('again');
});

it('those in line come after one another, and a full line is said to be full', async () => {
  const inSlot = createSlots(busy);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const asked = Array.from({ length: 11 }, () =>
    inSlot(async () => {
      running += 1;
      most = Math.max(most, running);
      await end;
      running -= 1;
    }),
  );
  const ended = Promise.allSettled(asked);
  resolve();
  expect((await ended).filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect([most, running]).toEqual([2, 0]);
});
