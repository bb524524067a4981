import { toDecimal, toWire } from '@tallystick/contract/money';
import { networkIds, networks } from '@tallystick/contract/networks';
import { operatorPageSize as pageSize, pagesOf } from '@tallystick/contract/operator/fields';
import * as calls from '@tallystick/contract/operator/investors';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { serve, serveCsv } from '../../../platform/http/serve.ts';
import { streamedCsv } from '../../../platform/http/streaming.ts';
import { maturityToWire } from '../../investment/service.ts';
import { recordCode } from '../../ledger/service.ts';
import { waitingToWire } from '../bounds-wire.ts';
import { calledBy, detailOf, doneBy, periodOf } from '../rules.ts';
import type { Console, ConsoleParts } from '../service.ts';
import { actorOf, pressedBy } from '../session/routes.ts';
import type { GivenAddressRow, StatementRow, WithdrawalAddressRow } from './store.ts';

export function investorsRoutes(app: FastifyInstance, needs: ConsoleParts): void {
  investorRoutes(app, needs);
  listRoutes(app, needs);
  statementRoutes(app, needs);
  serve(app, 'operator', calls.proposecorrection, async ({ params, body, request }) => {
    const { direction, amount, reason } = body;
    const amountCents = direction === 'add' ? amount : -amount;
    await needs.ledger.proposeCorrection({ userId: params.id, amountCents, reason, ...pressedBy(request) });
    return { message: 'The correction waits for a second operator.' };
  });

  serve(app, 'operator', calls.proposefactorremoval, async ({ params, body, request }) => {
    await needs.users.proposeRemoval({ userId: params.id, reason: body.reason, actor: actorOf(request) });
    return { message: 'The removal waits for a second operator.' };
  });
}

type InvestorRow = Awaited<ReturnType<Console['investor']>>['investor'];

const investorToWire = (row: InvestorRow): calls.InvestorRow => ({
  _id: row.userId,
  fullname: calledBy(row),
  email: row.email,
  verified: row.verified,
  since: row.since.toISOString(),
  available: toWire(row.walletCents),
  invested: toWire(row.investedCents),
  withdrawing: toWire(row.withdrawingCents),
  frozen: row.frozen,
  closedat: row.closedAt?.toISOString() ?? null,
  emailuntil: row.emailUntil?.toISOString() ?? null,
});

const addressToWire = (row: GivenAddressRow): calls.GivenAddress => ({
  _id: String(row.id),
  networks: networkIds.filter((id) => networks[id].family === row.family),
  address: row.address,
  tag: row.tag === null ? null : String(row.tag),
  path: row.path,
  givenat: row.givenAt.toISOString(),
  usedat: row.usedAt?.toISOString() ?? null,
});

type RemovalRow = NonNullable<Awaited<ReturnType<Console['investor']>>['removal']>;

const removalToWire = (row: RemovalRow, names: Map<string, string>): calls.FactorRemoval => ({
  ...waitingToWire(row, names),
  reason: row.reason,
  agreedby: row.agreedBy && (names.get(row.agreedBy) ?? row.agreedBy),
  dueat: row.dueAt?.toISOString() ?? null,
});

const destinationToWire = (row: WithdrawalAddressRow): calls.WithdrawalAddress => ({
  network: row.network,
  address: row.address,
  tag: row.tag === null ? null : String(row.tag),
  savedas: row.savedAs,
  savedat: row.savedAt?.toISOString() ?? null,
  usablefrom: row.usableFrom?.toISOString() ?? null,
  firstseenat: row.firstSeenAt.toISOString(),
  lastpaidat: row.lastPaidAt?.toISOString() ?? null,
  timespaid: row.timesPaid,
});

type Told = Awaited<ReturnType<Console['toldLately']>>;

const lettersToWire = ({ off, told }: Told) => ({
  lettersoff: off.map(({ topic, since }) => ({ topic, since: since.toISOString() })),
  told: told.map(({ title, at, readAt }) => ({
    title,
    at: at.toISOString(),
    readat: readAt?.toISOString() ?? null,
  })),
});

type ChoiceRow = Awaited<ReturnType<Console['maturityChoices']>>['choices'][number];

const choiceToWire = (row: ChoiceRow): calls.MaturityChoiceRow => ({
  _id: row.id,
  transactionid: row.transactionid,
  planname: row.planname,
  amount: toWire(row.amountCents),
  profit: toWire(row.profitCents),
  maturesat: row.maturesAt.toISOString(),
  settledat: row.settledAt?.toISOString() ?? null,
  chosenat: row.chosenAt.toISOString(),
  maturity: maturityToWire(row),
});

function investorRoutes(app: FastifyInstance, { operator, users, withdrawal }: ConsoleParts): void {
  serve(app, 'operator', calls.investors, async ({ query, request }) => {
    const { page, search } = query;
    const asked = { page, pageSize, on: request.readDb, ...(search && { search }) };
    const found = await operator.pageOfInvestors(asked);
    const { total, investors } = found;
    return { investors: investors.map(investorToWire), page, pages: pagesOf(total), total };
  });

  serve(app, 'operator', calls.investor, async ({ params }) => {
    const { id: userId } = params;
    const { investor, devices, factors, removal, waitingCorrections } = await operator.investor({ userId });
    const [freeze, protection, names] = await Promise.all([
      withdrawal.freezeOf({ userId }),
      withdrawal.protectionOf({ userId }),
      users.operatorNames(),
    ]);
    const first = await operator.firstThatCounts(freeze?.firstUnfrozenBy ?? null);
    return {
      investor: investorToWire(investor),
      together: toWire(investor.walletCents + investor.investedCents + investor.withdrawingCents),
      devices,
      factors: {
        authenticator: factors.authenticator,
        passkeys: factors.passkeys,
        recoverycodesleft: factors.codesLeft,
      },
      frozen: freeze && {
        reason: freeze.reason,
        by: freeze.frozenBy === 'chain' ? 'the network' : (names.get(freeze.frozenBy) ?? freeze.frozenBy),
        at: freeze.frozenAt.toISOString(),
        afterloss: freeze.afterLoss,
        unfrozenfirst: first === null ? null : { operator: first, name: names.get(first) ?? first },
      },
      ...lettersToWire(await operator.toldLately({ userId })),
      waitingcorrections: waitingCorrections,
      factorremoval: removal && removalToWire(removal, names),
      addressprotection: protection && {
        since: protection.since.toISOString(),
        offfrom: protection.offFrom?.toISOString() ?? null,
      },
    };
  });

  serve(app, 'operator', calls.record, async ({ params }) => {
    const { at, entries, sumCents, finding } = await operator.record({ userId: params.id });
    return { at: at.toISOString(), entries: Number(entries), sum: toWire(sumCents), finding };
  });

  serve(app, 'operator', calls.freezeinvestor, async ({ params, body, request }) => {
    await withdrawal.freezeInvestor({ userId: params.id, reason: body.reason, actor: actorOf(request) });
    return { message: 'Withdrawals of this investor are frozen.' };
  });

  serve(app, 'operator', calls.unfreezeinvestor, async ({ params, body, request }) => {
    const unfreezing = { userId: params.id, reason: body.reason, actor: actorOf(request) };
    const { isOver } = await withdrawal.unfreezeInvestor(unfreezing);
    const message = isOver ? 'This investor can withdraw again.' : 'Another operator has to agree to it.';
    return { message, frozen: !isOver };
  });
}

/** What stands in pages of its own beneath one investor. */
function listRoutes(app: FastifyInstance, { operator }: ConsoleParts): void {
  serve(app, 'operator', calls.addresses, async ({ params, query: { page }, request }) => {
    const asked = { userId: params.id, page, pageSize, on: request.readDb };
    const { total, addresses } = await operator.addresses(asked);
    return { addresses: addresses.map(addressToWire), page, pages: pagesOf(total), total };
  });

  serve(app, 'operator', calls.withdrawaladdresses, async ({ params, query: { page }, request }) => {
    const asked = { userId: params.id, page, pageSize, on: request.readDb };
    const { total, addresses } = await operator.withdrawalAddresses(asked);
    return { addresses: addresses.map(destinationToWire), page, pages: pagesOf(total), total };
  });

  serve(app, 'operator', calls.maturitychoices, async ({ params, query: { page }, request }) => {
    const asked = { userId: params.id, page, pageSize, on: request.readDb };
    const { total, choices } = await operator.maturityChoices(asked);
    return { choices: choices.map(choiceToWire), page, pages: pagesOf(total), total };
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

function statementRoutes(app: FastifyInstance, { operator, users }: ConsoleParts): void {
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

  serve(app, 'operator', calls.statement, async ({ params, query, request }) => {
    const { page } = query;
    const asked = { userId: params.id, period: periodIn(query), page, pageSize, on: request.readDb };
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

  const { query: asked } = calls.statement;
  const file = { summary: 'The same statement as CSV', filename: 'statement.csv', query: asked };
  serveCsv(app, calls.statement, file, async ({ params, query, request }) => {
    const userId = params.id;
    const names = await users.operatorNames();
    await operator.investor({ userId });
    const rows = operator.wholeStatement({ userId, period: periodIn(query), on: request.readDb });
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
  });
}
