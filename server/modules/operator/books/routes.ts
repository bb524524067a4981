import { Readable } from 'node:stream';
import * as calls from '@tallystick/contract/operator/books';
import type { FastifyInstance } from 'fastify';
import { serve, serveCsv } from '../../../platform/http/serve.ts';
import { streamedCsv } from '../../../platform/http/streaming.ts';
import type { ConsoleParts } from '../service.ts';
import { actorOf } from '../session/routes.ts';
import { booksHeads, booksLines, booksToWire } from './wire.ts';

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
