import { expect, it, vi } from 'vitest';
import type { Context } from './context.ts';
import { watchersOf } from './work.ts';

it('what was paid out is marked so, also where something that came in cannot be taken in', async () => {
  const takeIn = vi.fn(async () => Promise.reject(new Error('it cannot be taken in')));
  const settlePayouts = vi.fn(async () => {});
  const { afterReading } = watchersOf({
    funding: { takeIn },
    withdrawal: { settlePayouts },
  } as unknown as Context);
  await expect(afterReading('bitcoin')).rejects.toThrow('it cannot be taken in');
  expect(settlePayouts).toHaveBeenCalledWith('bitcoin');
});
