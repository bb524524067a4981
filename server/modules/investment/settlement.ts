import type { Logger } from '../../platform/logger.ts';
import { type Db, inTransaction } from '../../platform/postgres/db.ts';
import { type AccountRef, type Ledger, movement } from '../ledger/service.ts';
import type { LetterTo, Users } from '../users/service.ts';
import { type InvestmentRow, markSettled, takeDue } from './store.ts';

interface SettlementNeeds {
  db: Db;
  ledger: Ledger;
  users: Users;
  logger: Logger;
}

const batchSize = 500;
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
export function createSettlement({ db, ledger, users, logger }: SettlementNeeds) {
  const matured = (settled: { investment: InvestmentRow; transactionid: string }, now: Date): LetterTo => ({
    userId: settled.investment.userId,
    letter: (fullname) => ({
      kind: 'investment-matured',
      fullname,
      planname: settled.investment.planname,
      amountCents: String(settled.investment.amountCents),
      profitCents: String(settled.investment.profitCents),
      transactionid: settled.transactionid,
      at: now.toISOString(),
    }),
  });

  async function settleBatch(): Promise<number> {
    return inTransaction(db, async (tx) => {
      const now = await ledger.timeOf({ tx });
      const due = await takeDue(tx, now, batchSize);
      if (due.length === 0) return 0;
      const accounts = due.flatMap<AccountRef>(({ userId }) => [
        { kind: 'wallet', ownerId: userId },
        { kind: 'invested', ownerId: userId },
      ]);
      const closed: { investment: InvestmentRow; transactionid: string }[] = [];
      await ledger.inBook({
        tx,
        accounts: [...accounts, returns],
        post(book) {
          for (const investment of due) {
            const paid = payback(investment, now);
            if (book.post(paid) === 'posted') closed.push({ investment, transactionid: paid.transactionid });
            // Someone has tampered with it; the others are paid all the same.
            else logger.error({ alert: true, investment: investment.id }, 'a due investment is not covered');
          }
        },
      });
      await markSettled(
        tx,
        closed.map(({ investment, transactionid }) => ({ id: investment.id, transactionid })),
        now,
      );
      await users.writeTo({ tx, letters: closed.map((each) => matured(each, now)) });
      return closed.length;
    });
  }

  return {
    async settleDue(): Promise<{ settled: number }> {
      let settled = 0;
      for (;;) {
        const count = await settleBatch();
        settled += count;
        if (count < batchSize) return { settled };
      }
    },
  };
}
