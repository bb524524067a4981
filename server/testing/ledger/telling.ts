import { expect } from 'vitest';
import { queuedLetters } from '../outside/queued-letters.ts';
import type { TestApp } from '../start-app.ts';

export const patience = { timeout: 60_000 };

/** Which investments were told of, each as often as it was, in the order in which the letters were written. */
export const toldOf = async ({ context }: TestApp): Promise<string[]> =>
  (await queuedLetters(context)).flatMap(({ letter }) =>
    letter.kind === 'investment-opened' ? [letter.transactionid] : [],
  );

/** Until everything that has happened was told, or is set aside. */
export const allTold = ({ context }: TestApp) =>
  expect.poll(() => context.telling.hasTold(), patience).toBe(true);
