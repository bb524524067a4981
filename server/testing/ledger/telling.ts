import { expect } from 'vitest';
import { deposit, type Offers } from '../money.ts';
import { queuedLetters } from '../outside/queued-letters.ts';
import type { TestApp } from '../start-app.ts';
import { newInvestor } from './investors.ts';

export const patience = { timeout: 60_000 };

export async function fundedInvestor(test: TestApp): Promise<string> {
  const userId = await newInvestor(test);
  await deposit(test, userId, 100);
  return userId;
}

/** All that the wallet of a funded investor holds. */
export const investAll = (test: TestApp, { plans }: Offers, userId: string) =>
  test.context.investment.makeInvestment({
    userId,
    planId: plans.Starter,
    amountCents: 10_000n,
    idempotencyKey: null,
  });

/** Which investments were told of, each as often as it was, in the order in which the letters were written. */
export const toldOf = async ({ context }: TestApp): Promise<string[]> =>
  (await queuedLetters(context)).flatMap(({ letter }) =>
    letter.kind === 'investment-opened' ? [letter.transactionid] : [],
  );

/** Until everything that has happened was told, or is set aside. */
export const allTold = ({ context }: TestApp) =>
  expect.poll(() => context.telling.hasTold(), patience).toBe(true);
