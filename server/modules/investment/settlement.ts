import type { Logger } from '../../platform/logger.ts';
import { type AccountRef, type Ledger, movement } from '../ledger/service.ts';
import { type DueInvestment, markSettled, takeDue } from './settlement-store.ts';

interface SettlementNeeds {
  ledger: Ledger;
  logger: Logger;
}

const batchSize = 500;
/** All batches meet at the account that profits are paid from. Once this server knows it, they can be written side by side. */
const firstSize = 50;
const returns: AccountRef = { kind: 'returns', ownerId: null };

/** Principal and profit go to the wallet as two entries of one movement. */
function payback(investment: DueInvestment, at: Date) {
  const { userId, amountCents, profitCents } = investment;
  const wallet = { kind: 'wallet', ownerId: userId } as const;
  const invested = { kind: 'invested', ownerId: userId } as const;
  const principal = [
    { account: invested, amountCents: -amountCents, label: 'Investment Return' },
    { account: wallet, amountCents, label: 'Investment Return' },
  ];
  const profit = [
    { account: returns, amountCents: -profitCents, label: 'Profit' },
    { account: wallet, amountCents: profitCents, label: 'Profit' },
  ];
  return movement({
    kind: 'maturity',
    at,
    reference: investment.transactionid,
    postings: profitCents > 0n ? [...principal, ...profit] : principal,
  });
}

/** Pays what has matured, in the same transaction that closes it: late, twice or on two machines, it pays once. */
export function createSettlement({ ledger, logger }: SettlementNeeds) {
  /** How many were due, as many as are taken at once, and how many of them were paid. */
  async function settleBatch(size: number, half: 0 | 1 | null): Promise<{ taken: number; settled: number }> {
    const { due, closed } = await ledger.inBook({
      async read(tx, { now, givenTime, openBook }) {
        // The time is read behind what is due by it.
        const [due, at] = await Promise.all([takeDue(tx, { givenTime, half, limit: size }), now()]);
        const accounts = due.flatMap<AccountRef>(({ userId }) => [
          { kind: 'wallet', ownerId: userId },
          { kind: 'invested', ownerId: userId },
        ]);
        return { facts: { at, due }, book: await openBook(accounts) };
      },
      house: ({ due }) => (due.length > 0 ? [returns] : []),
      post({ at, due }, book) {
        const closed: { id: string; transactionid: string }[] = [];
        for (const investment of due) {
          const paid = payback(investment, at);
          if (book.post(paid) === 'posted')
            closed.push({ id: investment.id, transactionid: paid.transactionid });
          // Someone has tampered with it; the others are paid all the same.
          else logger.error({ alert: true, investment: investment.id }, 'a due investment is not covered');
        }
        return { at, due, closed };
      },
      written: ({ at, closed }) => [markSettled(closed, at)],
    });
    return { taken: due.length, settled: closed.length };
  }

  async function settleAll(half: 0 | 1): Promise<number> {
    let all = 0;
    for (;;) {
      const { taken, settled } = await settleBatch(batchSize, half);
      all += settled;
      // Those that are not covered stay due: they alone are no reason to go on.
      if (taken < batchSize || settled === 0) return all;
    }
  }

  return {
    /** In two rows, each for half of the investors, so that none waits for an account that the other holds. */
    async settleDue(): Promise<{ settled: number }> {
      const { taken, settled } = await settleBatch(firstSize, null);
      if (taken < firstSize) return { settled };
      const [one, other] = await Promise.all([settleAll(0), settleAll(1)]);
      return { settled: settled + one + other };
    },
  };
}
