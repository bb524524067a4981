import type { CallAnswer } from '@tallystick/contract/call';
import { toWire } from '@tallystick/contract/money';
import type * as calls from '@tallystick/contract/operator-records';
import type { OperatorService } from './service.ts';

type Books = Awaited<ReturnType<OperatorService['books']>>;

const dueToWire = (due: { principalCents: bigint; profitCents: bigint; count: bigint }) => ({
  principal: toWire(due.principalCents),
  profit: toWire(due.profitCents),
  count: Number(due.count),
});

export function booksToWire(books: Books, names: Map<string, string>): CallAnswer<typeof calls.books> {
  const { owed, held, check } = books;
  return {
    at: books.at.toISOString(),
    owed: {
      wallets: toWire(owed.walletsCents),
      invested: toWire(owed.investedCents),
      accrued: toWire(owed.accruedCents),
      withdrawing: toWire(owed.withdrawingCents),
      together: toWire(owed.togetherCents),
    },
    held: {
      methods: held.methods.map((row) => ({
        methodid: row.methodId,
        paymentname: row.paymentname,
        coin: row.coin,
        amount: row.amountCents === null ? null : toWire(row.amountCents),
        enteredat: row.enteredAt?.toISOString() ?? null,
        enteredby: row.enteredBy && (names.get(row.enteredBy) ?? row.enteredBy),
      })),
      together: held.togetherCents === null ? null : toWire(held.togetherCents),
    },
    weeks: books.weeks.map((week) => ({ monday: week.monday.toISOString(), ...dueToWire(week) })),
    later: dueToWire(books.later),
    days: books.days.map(({ day, depositCents, withdrawalCents }) => ({
      day,
      deposits: toWire(depositCents),
      withdrawals: toWire(withdrawalCents),
    })),
    check: check && {
      at: check.at.toISOString(),
      accounts: Number(check.accounts),
      entries: Number(check.entries),
      findings: (check.findings as unknown[]).map(String),
    },
    frozen: books.frozenBecause,
  };
}
