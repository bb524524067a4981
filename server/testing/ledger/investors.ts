import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { deposit, type Offers } from '../money.ts';
import type { TestApp } from '../start-app.ts';

/** People who only have to be there: nobody signs in as one of them, so no password is hashed and no letter sent. */
export async function newInvestors(test: TestApp, count: number): Promise<string[]> {
  const { rows } = await test.context.owner.query<{ id: string }>(
    `insert into users (fullname, email, email_key, password_hash, created_at)
     select 'Ada', name, name, 'none', now() from unnest($1::text[]) as name returning id`,
    [Array.from({ length: count }, () => `${randomUUID()}@example.com`)],
  );
  return rows.map(({ id }) => id);
}

export async function newInvestor(test: TestApp): Promise<string> {
  const [userId = ''] = await newInvestors(test, 1);
  return userId;
}

export async function fundedInvestor(test: TestApp, dollars = 100): Promise<string> {
  const userId = await newInvestor(test);
  await deposit(test, userId, dollars);
  return userId;
}

interface Wish {
  offers: Offers;
  userId: string;
  amountCents: bigint;
  plan?: keyof Offers['plans'];
  key?: string | null;
}

/** By the verb itself, without a session. */
export const investOn = (
  { investment }: Pick<Context, 'investment'>,
  { offers, userId, amountCents, plan = 'Starter', key = null }: Wish,
) => investment.makeInvestment({ userId, planId: offers.plans[plan], amountCents, idempotencyKey: key });

/** Of a new investor, who has put into it all that they have. */
export async function newInvestment(
  test: TestApp,
  wish: Omit<Wish, 'userId'>,
): ReturnType<Context['investment']['makeInvestment']> {
  const userId = await fundedInvestor(test, Number(wish.amountCents) / 100);
  return investOn(test.context, { ...wish, userId });
}

/** What is in the wallet, what is invested, and what is on its way out. */
export async function balancesOf({ context }: TestApp, userId: string): Promise<[bigint, bigint, bigint]> {
  const { availableCents, investedCents, withdrawingCents } = await context.ledger.summary({ userId });
  return [availableCents, investedCents, withdrawingCents];
}
