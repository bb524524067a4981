import * as calls from '@tallystick/contract/funding';
import { pageSize, pagesOf } from '@tallystick/contract/list';
import { toDecimal, toWire } from '@tallystick/contract/money';
import { networkOf, networks } from '@tallystick/contract/networks';
import type { WithdrawalStatus } from '@tallystick/contract/withdrawal';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { type ChainNames, explorerOf } from '../../platform/chains/explorer.ts';
import { paymentUri } from '../../platform/chains/payment-uri.ts';
import { decimalToUnits, unitsToDecimal } from '../../platform/chains/units.ts';
import { identityOf } from '../../platform/http/identity.ts';
import { idempotencyKeyOf, serve, serveCsv } from '../../platform/http/serve.ts';
import { streamedCsv, streamedList } from '../../platform/http/streaming.ts';
import { type Ledger, type ListedEntry, recordCode } from '../ledger/service.ts';
import { byChain } from './decided.ts';
import type { PaymentMethodRow } from './method-store.ts';
import type { Funding, ShownRequest } from './service.ts';

type ShownMethod = PaymentMethodRow & { tag: bigint | null };

const methodToWire = (method: ShownMethod, names: ChainNames): calls.PaymentMethod => ({
  _id: method.id,
  paymentname: method.paymentname,
  paymentaddress: method.paymentaddress,
  tag: method.tag === null ? null : String(method.tag),
  payuri: payUri({ ...method, coinAmount: null }, names),
  network: method.network,
  coin: method.coin,
  sample: method.sample,
});

function paymentToWire({ payment, confirmations: asked }: ShownRequest): calls.FundingRequest['payment'] {
  if (!payment) return null;
  const { coin, confirmations: usual } = networks[payment.network];
  return {
    chaintransactionid: payment.txid,
    chainoutput: payment.output,
    coins: unitsToDecimal(payment.units, coin.decimals),
    confirmations: payment.lostAt ? 0 : payment.confirmations,
    needed: asked ?? usual,
    lost: payment.lostAt !== null,
    worth: payment.cents === null ? null : toWire(payment.cents),
    price: payment.price,
    pricesource: payment.priceSource,
    priceat: payment.priceAt?.toISOString() ?? null,
    seenat: payment.seenAt.toISOString(),
  };
}

type Payable = Pick<ShownRequest, 'coin' | 'sample' | 'source' | 'paymentaddress' | 'tag' | 'coinAmount'>;

/** What a wallet fills its form from: the amount as far as one was known. */
function payUri(row: Payable, { chainIds }: ChainNames): string | null {
  const network = networkOf(row.coin ?? '');
  // Nobody in particular has no address of a key, and no tag: a payment without it would be nobody's.
  const isNobodys = row.paymentaddress === '' || (row.source === 'tagged' && row.tag === null);
  if (!network || row.sample || isNobodys) return null;
  const units = row.coinAmount && decimalToUnits(row.coinAmount, networks[network].coin.decimals);
  return paymentUri({
    network,
    address: row.paymentaddress,
    units: units || null,
    tag: row.tag === null ? null : Number(row.tag),
    chainId: chainIds[network] ?? null,
  });
}

/** Of the payment: as the chain shows it, or as it was entered by those who confirmed it. */
function onTheChain(row: ShownRequest, names: ChainNames) {
  const txid = row.payment?.txid ?? (row.status === 'confirmed' ? row.chainTxid : null);
  const network = networkOf(row.coin ?? '');
  const explorer = txid && network && !row.sample ? explorerOf(network, txid, names) : null;
  return { chaintransactionid: txid, explorer };
}

const requestToWire = (row: ShownRequest, names: ChainNames): calls.FundingRequest => ({
  _id: row.id,
  transactionid: row.transactionid,
  fundingtype: row.paymentname,
  paymentaddress: row.paymentaddress,
  tag: row.tag === null ? null : String(row.tag),
  // An answer that was kept with its key by an earlier version says nothing about these three, nor who announced it.
  network: row.methodNetwork ?? '',
  coin: row.coin ?? '',
  sample: row.sample ?? false,
  amount: toWire(row.amountCents),
  coinamount: row.coinAmount,
  payuri: payUri(row, names),
  announced: row.announced ?? true,
  watched: row.watched,
  payment: paymentToWire(row),
  asks: row.status === 'pending' && row.firstConfirmedBy === byChain,
  ...onTheChain(row, names),
  // What the first of two operators has confirmed is not the investor's yet.
  received: row.receivedCents === null || row.status === 'pending' ? null : toWire(row.receivedCents),
  status: row.status,
  reason: row.reason,
  requestedat: row.requestedAt.toISOString(),
  decidedat: row.decidedAt?.toISOString() ?? null,
});

/** What a withdrawal's status means for the money that left the wallet. */
const withdrawalStates: Record<WithdrawalStatus, calls.BalanceEntry['withdrawalstate']> = {
  requested: 'held',
  approved: 'held',
  paid: 'paid',
  rejected: 'returned',
  cancelled: 'returned',
};

const entryToWire = (entry: ListedEntry): calls.BalanceEntry => ({
  _id: `${entry.accountId}-${entry.seq}`,
  fundingtype: entry.label,
  finalBalance: toWire(entry.amountCents),
  transactionid: entry.transactionid,
  at: entry.at.toISOString(),
  balanceafter: toWire(entry.balanceAfterCents),
  recordcode: recordCode(entry.hash),
  reference: entry.reference,
  reason: entry.reason,
  withdrawalstate: entry.withdrawalStatus && withdrawalStates[entry.withdrawalStatus],
});

/** The file holds what the list shows, all its pages. */
const ExportQuery = calls.fetchbalance.query.omit({ page: true });
const csvHeads = ['Date', 'Type', 'Transaction ID', 'Record code', 'Amount', 'Balance after', 'Reason'];
const csvFields = (entry: ListedEntry) => [
  entry.at.toISOString(),
  entry.label,
  entry.transactionid,
  recordCode(entry.hash),
  toDecimal(entry.amountCents),
  toDecimal(entry.balanceAfterCents),
  entry.reason,
];

interface FundingPublicNeeds {
  funding: Funding;
  config: ChainNames;
  whoever: onRequestAsyncHookHandler;
}

export function fundingPublicRoutes({ funding, config, whoever }: FundingPublicNeeds) {
  return async (app: FastifyInstance) => {
    app.addHook('onRequest', whoever);
    serve(app, 'public', calls.fetchpaymentmethod, async ({ request }) => {
      const methods = await funding.paymentMethods({ userId: request.identity?.userId ?? null });
      return { data: methods.map((method) => methodToWire(method, config)) };
    });
  };
}

interface FundingRoutesNeeds {
  funding: Funding;
  ledger: Ledger;
  config: ChainNames;
}

export function fundingRoutes({ funding, ledger, config }: FundingRoutesNeeds) {
  return async (app: FastifyInstance) => {
    serve(app, 'investor', calls.addbalance, async ({ body, request }) => {
      const row = await funding.askForFunding({
        userId: identityOf(request).userId,
        paymentname: body.fundingtypename,
        amountCents: body.amount,
        idempotencyKey: idempotencyKeyOf(request),
      });
      return { request: requestToWire(row, config) };
    });

    serve(app, 'investor', calls.fetchbalance, async ({ query, request }) => {
      const { userId } = identityOf(request);
      const { page, search, fundingtype } = query;
      const on = request.readDb;
      if (page === undefined && search === undefined && fundingtype === undefined) {
        return streamedList('balance', ledger.allEntries({ userId, on }), entryToWire);
      }
      const filter = { search, label: fundingtype };
      const shown = page ?? 1;
      const shownPage = { userId, filter, page: shown, pageSize, on };
      const { total, entries, labels } = await ledger.pageOfEntries(shownPage);
      const balance = entries.map(entryToWire);
      return { balance, fundingtypes: labels, page: shown, pages: pagesOf(total), total };
    });

    serve(app, 'investor', calls.fetchrequests, async ({ query, request }) => {
      const page = query.page ?? 1;
      const { status, transaction: transactionid } = query;
      const { userId } = identityOf(request);
      const filter = { userId, status, transactionid, page, on: request.readDb };
      const { total, requests } = await funding.pageOfRequests(filter);
      return {
        request: requests.map((row) => requestToWire(row, config)),
        page,
        pages: pagesOf(total),
        total,
      };
    });

    const file = { summary: 'The same list as CSV', filename: 'transactions.csv', query: ExportQuery };
    serveCsv(app, calls.fetchbalance, file, async ({ query, request }) => {
      const { userId } = identityOf(request);
      const filter = { search: query.search, label: query.fundingtype };
      const all = ledger.allEntries({ userId, filter, on: request.readDb });
      return streamedCsv(csvHeads, all, csvFields);
    });
  };
}
