import { Readable } from 'node:stream';
import type { CallAnswer } from '@tallystick/contract/call';
import { toDecimal, toWire } from '@tallystick/contract/money';
import * as calls from '@tallystick/contract/operator/books';
import type { FastifyInstance } from 'fastify';
import { serve, serveCsv } from '../../../platform/http/serve.ts';
import { streamedCsv } from '../../../platform/http/streaming.ts';
import type { Console, ConsoleParts } from '../service.ts';
import { actorOf } from '../session/routes.ts';

export function booksRoutes(app: FastifyInstance, { operator, users, ledger }: ConsoleParts): void {
  serve(app, 'operator', calls.books, async () => {
    const [books, names] = await Promise.all([operator.books(), users.operatorNames()]);
    return booksToWire(books, names);
  });

  const file = { summary: 'The same figures as CSV', filename: 'books.csv' };
  serveCsv(app, calls.books, file, async () =>
    streamedCsv(booksHeads, Readable.from(booksLines(await operator.books())), (line) => line),
  );

  serve(app, 'operator', calls.enterheld, async ({ params, body, request }) => {
    await operator.enterHeld({ methodId: params.id, amountCents: body.amount, actor: actorOf(request) });
    return { message: 'Entered.' };
  });

  serve(app, 'operator', calls.checkbooks, async ({ request }) => {
    const { accounts, entries, findings } = await ledger.checkBooks({ actor: actorOf(request) });
    return { accounts: Number(accounts), entries: Number(entries), findings };
  });

  serve(app, 'operator', calls.unfreezebooks, async ({ body, request }) => {
    await operator.unfreezeBooks({ reason: body.reason, actor: actorOf(request) });
    return { message: 'Withdrawals go on.' };
  });
}

type Books = Awaited<ReturnType<Console['books']>>;

const dueToWire = (due: { principalCents: bigint; profitCents: bigint; count: bigint }) => ({
  principal: toWire(due.principalCents),
  profit: toWire(due.profitCents),
  count: Number(due.count),
});

function booksToWire(books: Books, names: Map<string, string>): CallAnswer<typeof calls.books> {
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

const booksHeads = ['Part', 'Item', 'Amount', 'Profit'];

/** The same figures, a line each, for a spreadsheet. */
function* booksLines(books: Books): Generator<(string | null)[]> {
  const { owed, held } = books;
  yield ['Owed', 'Wallets', toDecimal(owed.walletsCents), null];
  yield ['Owed', 'Invested', toDecimal(owed.investedCents), null];
  yield ['Owed', 'Profit accrued', toDecimal(owed.accruedCents), null];
  yield ['Owed', 'Being withdrawn', toDecimal(owed.withdrawingCents), null];
  for (const { paymentname, amountCents } of held.methods) {
    yield ['Held', paymentname, amountCents === null ? null : toDecimal(amountCents), null];
  }
  const dueLine = (item: string, due: { principalCents: bigint; profitCents: bigint }) => [
    'Due in the week from',
    item,
    toDecimal(due.principalCents),
    toDecimal(due.profitCents),
  ];
  for (const week of books.weeks) yield dueLine(week.monday.toISOString().slice(0, 10), week);
  yield dueLine('Later', books.later);
  for (const { day, depositCents, withdrawalCents } of books.days) {
    yield ['Deposits on', day, toDecimal(depositCents), null];
    yield ['Withdrawals paid on', day, toDecimal(withdrawalCents), null];
  }
}
