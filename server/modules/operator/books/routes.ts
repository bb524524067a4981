import { Readable } from 'node:stream';
import type { CallAnswer } from '@tallystick/contract/call';
import { toWire } from '@tallystick/contract/money';
import * as calls from '@tallystick/contract/operator/books';
import type { FastifyInstance } from 'fastify';
import { serve, serveCsv, serveFile } from '../../../platform/http/serve.ts';
import { streamedCsv } from '../../../platform/http/streaming.ts';
import type { Console, ConsoleParts } from '../service.ts';
import { actorOf } from '../session/routes.ts';
import { booksHeads, booksLines } from './csv.ts';
import { heldToWire } from './held-wire.ts';

export function booksRoutes(app: FastifyInstance, needs: ConsoleParts): void {
  const { operator, users, ledger, networks, signing } = needs;
  coldRoutes(app, needs);
  proofRoutes(app, needs);

  serve(app, 'operator', calls.books, async () => {
    const [books, waiting, states, names, signingOf] = await Promise.all([
      operator.books(),
      networks.waitingColdChanges(),
      networks.states(),
      users.operatorNames(),
      signing.signings(),
    ]);
    const nameOf = (id: string) => names.get(id) ?? id;
    return { ...booksToWire(books), held: heldToWire(books, { waiting, states, nameOf, signingOf }) };
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

const dueToWire = (due: Omit<Books['later'], 'monday'>) => ({
  principal: toWire(due.principalCents),
  profit: toWire(due.profitCents),
  again: toWire(due.againCents),
  count: Number(due.count),
});

function booksToWire(books: Books): Omit<CallAnswer<typeof calls.books>, 'held'> {
  const { owed, check } = books;
  return {
    at: books.at.toISOString(),
    owed: {
      wallets: toWire(owed.walletsCents),
      invested: toWire(owed.investedCents),
      accrued: toWire(owed.accruedCents),
      withdrawing: toWire(owed.withdrawingCents),
      together: toWire(owed.togetherCents),
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

function proofRoutes(app: FastifyInstance, { proof }: ConsoleParts): void {
  serve(app, 'operator', calls.provebooks, async ({ request }) => {
    const { number } = await proof.prove({ actor: actorOf(request) });
    return { number: Number(number) };
  });

  serveFile(app, calls.liabilities, async ({ query, request }) => {
    const number = BigInt(query.number);
    const { file, passphrase } = await proof.exportLiabilities({ number, actor: actorOf(request) });
    return {
      type: 'application/octet-stream',
      filename: `liabilities-${number}.sealed`,
      body: file,
      headers: { [calls.passphraseHeader]: passphrase },
    };
  });
}

function coldRoutes(app: FastifyInstance, { networks }: ConsoleParts): void {
  serve(app, 'operator', calls.listcold, async ({ body, request }) => {
    await networks.listColdAddress({ ...body, actor: actorOf(request) });
    return { message: 'It counts once another operator has agreed.' };
  });

  serve(app, 'operator', calls.removecold, async ({ params, request }) => {
    await networks.removeColdAddress({ id: params.id, actor: actorOf(request) });
    return { message: 'It counts until another operator has agreed.' };
  });

  serve(app, 'operator', calls.coldchanges.confirm, async ({ params, request }) => {
    await networks.agreeColdChange({ id: params.id, actor: actorOf(request) });
    return { message: 'Agreed.' };
  });

  serve(app, 'operator', calls.coldchanges.discard, async ({ params, request }) => {
    await networks.discardColdChange({ id: params.id, actor: actorOf(request) });
    return { message: 'Discarded.' };
  });
}
