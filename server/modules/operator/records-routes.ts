import { Readable } from 'node:stream';
import { toDecimal, toWire } from '@tallystick/contract/money';
import type { ById } from '@tallystick/contract/operator';
import * as calls from '@tallystick/contract/operator-records';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { serve } from '../../platform/http.ts';
import { streamedCsv } from '../../platform/streaming.ts';
import type { BoundsService } from '../bounds/service.ts';
import { type Ledger, recordCode } from '../ledger/service.ts';
import type { Contact } from '../mail/service.ts';
import type { Users } from '../users/service.ts';
import type { WithdrawalService } from '../withdrawal/service.ts';
import { booksHeads, booksLines, booksToWire } from './books-wire.ts';
import { boundsChangeToWire, boundsToWire } from './bounds-wire.ts';
import { actorOf } from './routes.ts';
import { detailOf, doneBy, type OperatorService, periodOf, type StatementRow } from './service.ts';

interface RecordsRoutesNeeds {
  operator: OperatorService;
  bounds: BoundsService;
  users: Users;
  ledger: Ledger;
  contact: Contact;
  withdrawal: WithdrawalService;
}

const { operatorPageSize: pageSize } = calls;
const pagesOf = (total: number) => Math.max(1, Math.ceil(total / pageSize));

export function operatorRecordsRoutes(needs: RecordsRoutesNeeds) {
  return async (app: FastifyInstance) => {
    investorRoutes(app, needs);
    statementRoutes(app, needs);
    booksRoutes(app, needs);
    messageRoutes(app, needs);
    checklistRoutes(app, needs);
  };
}

type InvestorRow = Awaited<ReturnType<OperatorService['investor']>>['investor'];

const investorToWire = (row: InvestorRow): calls.InvestorRow => ({
  _id: row.userId,
  fullname: row.fullname || row.email,
  email: row.email,
  verified: row.verified,
  since: row.since.toISOString(),
  available: toWire(row.walletCents),
  invested: toWire(row.investedCents),
  withdrawing: toWire(row.withdrawingCents),
  frozen: row.frozen,
});

function investorRoutes(app: FastifyInstance, { operator, users, withdrawal }: RecordsRoutesNeeds): void {
  serve(app, 'operator', calls.investors, async ({ query }) => {
    const { page, search } = query;
    const found = await operator.pageOfInvestors({ page, pageSize, ...(search && { search }) });
    const { total, investors } = found;
    return { investors: investors.map(investorToWire), page, pages: pagesOf(total), total };
  });

  serve(app, 'operator', calls.investor, async ({ params }) => {
    const userId = params.id.toLowerCase();
    const { investor, devices, waitingCorrections } = await operator.investor({ userId });
    const [freeze, names] = await Promise.all([withdrawal.freezeOf({ userId }), users.operatorNames()]);
    return {
      investor: investorToWire(investor),
      together: toWire(investor.walletCents + investor.investedCents + investor.withdrawingCents),
      devices,
      frozen: freeze && {
        reason: freeze.reason,
        by: names.get(freeze.frozenBy) ?? freeze.frozenBy,
        at: freeze.frozenAt.toISOString(),
      },
      waitingcorrections: waitingCorrections,
    };
  });

  serve(app, 'operator', calls.record, async ({ params }) => {
    const { at, entries, sumCents, finding } = await operator.record({ userId: params.id.toLowerCase() });
    return { at: at.toISOString(), entries: Number(entries), sum: toWire(sumCents), finding };
  });

  serve(app, 'operator', calls.freezeinvestor, async ({ params, body, request }) => {
    const userId = params.id.toLowerCase();
    await withdrawal.freezeInvestor({ userId, reason: body.reason, actor: actorOf(request) });
    return { message: 'Withdrawals of this investor are frozen.' };
  });

  serve(app, 'operator', calls.unfreezeinvestor, async ({ params, body, request }) => {
    const userId = params.id.toLowerCase();
    await withdrawal.unfreezeInvestor({ userId, reason: body.reason, actor: actorOf(request) });
    return { message: 'This investor can withdraw again.' };
  });
}

const statementHeads = [
  'Date',
  'Type',
  'Detail',
  'Transaction ID',
  'Record code',
  'Done by',
  'Amount',
  'Balance after',
];

function statementRoutes(app: FastifyInstance, { operator, users }: RecordsRoutesNeeds): void {
  const entryToWire = (row: StatementRow, names: Map<string, string>): calls.StatementEntry => ({
    _id: `${row.accountId}-${row.seq}`,
    at: row.at.toISOString(),
    fundingtype: row.label,
    detail: detailOf(row),
    transactionid: row.transactionid,
    recordcode: recordCode(row.hash),
    doneby: doneBy(row, names),
    amount: toWire(row.amountCents),
    balanceafter: toWire(row.balanceAfterCents),
    reason: row.reason,
  });
  type Query = z.output<typeof calls.statement.query>;
  const periodIn = ({ from, to, fundingtype }: Query) => ({ ...periodOf({ from, to }), label: fundingtype });

  serve(app, 'operator', calls.statement, async ({ params, query }) => {
    const { page } = query;
    const asked = { userId: params.id.toLowerCase(), period: periodIn(query), page, pageSize };
    const [names, statement] = await Promise.all([users.operatorNames(), operator.statement(asked)]);
    return {
      entries: statement.entries.map((row) => entryToWire(row, names)),
      fundingtypes: statement.labels,
      broughtforward: { entries: statement.earlier, balance: toWire(statement.broughtForwardCents) },
      page,
      pages: pagesOf(statement.total),
      total: statement.total,
    };
  });

  app.get(
    `${calls.statement.path}/export.csv`,
    {
      schema: {
        summary: 'The same statement as CSV',
        tags: ['operator'],
        params: calls.statement.params,
        querystring: calls.statement.query,
      },
    },
    async (request, reply) => {
      const { id } = request.params as z.output<typeof ById>;
      const names = await users.operatorNames();
      await operator.investor({ userId: id.toLowerCase() });
      const rows = operator.wholeStatement({
        userId: id.toLowerCase(),
        period: periodIn(request.query as Query),
      });
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="statement.csv"');
      return streamedCsv(statementHeads, rows, (row) => [
        row.at.toISOString(),
        row.label,
        detailOf(row),
        row.transactionid,
        recordCode(row.hash),
        doneBy(row, names),
        toDecimal(row.amountCents),
        toDecimal(row.balanceAfterCents),
      ]);
    },
  );
}

function booksRoutes(app: FastifyInstance, { operator, users, ledger }: RecordsRoutesNeeds): void {
  serve(app, 'operator', calls.books, async () => {
    const [books, names] = await Promise.all([operator.books(), users.operatorNames()]);
    return booksToWire(books, names);
  });

  app.get(
    `${calls.books.path}/export.csv`,
    { schema: { summary: 'The same figures as CSV', tags: ['operator'] } },
    async (_request, reply) => {
      reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="books.csv"');
      return streamedCsv(booksHeads, Readable.from(booksLines(await operator.books())), (line) => line);
    },
  );

  serve(app, 'operator', calls.enterheld, async ({ params, body, request }) => {
    const methodId = params.id.toLowerCase();
    await operator.enterHeld({ methodId, amountCents: body.amount, actor: actorOf(request) });
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

function messageRoutes(app: FastifyInstance, { contact, users }: RecordsRoutesNeeds): void {
  serve(app, 'operator', calls.messages, async ({ query }) => {
    const { page, show } = query;
    const [{ total, open, messages }, names] = await Promise.all([
      contact.pageOfMessages({ show, page, pageSize }),
      users.operatorNames(),
    ]);
    return {
      messages: messages.map((row) => ({
        ...{ _id: row.id, name: row.name, email: row.email, message: row.message },
        receivedat: row.receivedAt.toISOString(),
        handled:
          row.handledBy && row.handledAt
            ? { by: names.get(row.handledBy) ?? row.handledBy, at: row.handledAt.toISOString() }
            : null,
      })),
      ...{ open, page, pages: pagesOf(total), total },
    };
  });

  serve(app, 'operator', calls.handlemessage, async ({ params, request }) => {
    await contact.handleMessage({ messageId: params.id, actor: actorOf(request) });
    return { message: 'Marked as answered.' };
  });
}

function checklistRoutes(app: FastifyInstance, { operator, users, bounds }: RecordsRoutesNeeds): void {
  serve(app, 'operator', calls.checklist, async () => {
    const [items, now, change, names] = await Promise.all([
      operator.checklist(),
      bounds.bounds(),
      bounds.waitingBounds(),
      users.operatorNames(),
    ]);
    const boundschange = change && boundsChangeToWire(change, now, names);
    return { items, bounds: boundsToWire(now), boundschange };
  });
}
