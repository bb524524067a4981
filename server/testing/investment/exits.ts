import pg from 'pg';
import type { Context } from '../../context.ts';
import { createTestClock, dayMs } from '../clock.ts';
import { balancesOf, newInvestment } from '../ledger/investors.ts';
import { startSecondServer } from '../ledger/second-server.ts';
import { type Offers, withOffers } from '../money.ts';
import { startTestApp } from '../start-app.ts';

export interface Invested {
  userId: string;
  investmentId: string;
}

/** Unless another is said, with what is paid for $2,000 in the Standard plan when it may first be left. */
export const leave = (
  { investment }: Pick<Context, 'investment'>,
  of: Invested,
  payoutCents = 199_475n,
  key: string | null = null,
) => investment.exitInvestment({ ...of, payoutCents, idempotencyKey: key });

/** Two servers, of which the other has a clock that is moved by itself; what is due is settled by the tests alone. */
export async function startExits() {
  const test = await startTestApp();
  const offers = await withOffers(test);
  const othersClock = createTestClock();
  const other = await startSecondServer(test, othersClock);
  await test.jobs.stop();
  const admin = new pg.Client({ connectionString: test.database.adminUrl });
  await admin.connect();
  return {
    test,
    offers,
    other,
    admin,
    /** Both clocks show the same again, so many days later. */
    wait(days: number): void {
      test.clock.advance(days * dayMs);
      othersClock.advance(test.clock.now().getTime() - othersClock.now().getTime());
    },
    async invested(amountCents = 200_000n, plan: keyof Offers['plans'] = 'Standard'): Promise<Invested> {
      const { userId, id } = await newInvestment(test, { offers, plan, amountCents });
      return { userId, investmentId: id };
    },
    held: async (userId: string) => (await balancesOf(test, userId)).slice(0, 2),
    async close(): Promise<void> {
      await admin.end();
      await other.close();
      await test.close();
    },
  };
}
