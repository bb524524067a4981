import type { Logger } from '../../platform/logger.ts';
import { type AccountRef, type Ledger, movement } from '../ledger/service.ts';
import { type InvestmentRow, markSettled, takeDue } from './store.ts';

interface SettlementNeeds {
  ledger: Ledger;
  logger: Logger;
}

const batchSize = 500;
/** All batches meet at the account that profits are paid from: while one part is written, the next is computed. */
const partSize = 100;
const returns: AccountRef = { kind: 'returns', ownerId: null };

/** Principal and profit go to the wallet as two entries of one movement. */
function payback(investment: InvestmentRow, at: Date) {
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
  async function settleBatch(): Promise<number> {
    const { closed } = await ledger.inBook({
      async read(tx, { now, openBook }) {
        const at = await now();
        const due = await takeDue(tx, at, batchSize);
        const accounts = due.flatMap<AccountRef>(({ userId }) => [
          { kind: 'wallet', ownerId: userId },
          { kind: 'invested', ownerId: userId },
        ]);
        return { facts: { at, due }, book: await openBook(due.length > 0 ? [...accounts, returns] : []) };
      },
      post({ at, due }, book, writeOn) {
        const closed: { id: string; transactionid: string }[] = [];
        for (const [index, investment] of due.entries()) {
          if (index > 0 && index % partSize === 0) writeOn();
          const paid = payback(investment, at);
          if (book.post(paid) === 'posted')
            closed.push({ id: investment.id, transactionid: paid.transactionid });
          // Someone has tampered with it; the others are paid all the same.
          else logger.error({ alert: true, investment: investment.id }, 'a due investment is not covered');
        }
        return { at, closed };
      },
      written: ({ at, closed }) => [markSettled(closed, at)],
    });
    return closed.length;
  }

  async function settleAll(): Promise<number> {
    let settled = 0;
    for (;;) {
      const count = await settleBatch();
      settled += count;
      if (count < batchSize) return settled;
    }
  }

  return {
    /** In two rows: while one is written, the next of the other is read and computed. Neither takes what the other has. */
    async settleDue(): Promise<{ settled: number }> {
      const [one, other] = await Promise.all([settleAll(), settleAll()]);
      return { settled: one + other };
    },
  };
}
