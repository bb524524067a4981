import * as calls from '@tallystick/contract/funding';
import { pageSize, pagesOf } from '@tallystick/contract/list';
import { toDecimal, toWire } from '@tallystick/contract/money';
import { type Network, networkOf, networks } from '@tallystick/contract/networks';
import type { WithdrawalStatus } from '@tallystick/contract/withdrawal';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { paymentUri } from '../../platform/chains/payment-uri.ts';
import { decimalToUnits, unitsToDecimal } from '../../platform/chains/units.ts';
import { identityOf } from '../../platform/http/identity.ts';
import { idempotencyKeyOf, serve, serveCsv } from '../../platform/http/serve.ts';
import { streamedCsv, streamedList } from '../../platform/http/streaming.ts';
import { type Ledger, type ListedEntry, recordCode } from '../ledger/service.ts';
import type { PaymentMethodRow } from './method-store.ts';
import type { Funding, ShownRequest } from './service.ts';

/** Of the EVM networks: without it a wallet would pay on whichever it happens to be. */
type ChainIds = Partial<Record<Network, number>>;

type ShownMethod = PaymentMethodRow & { tag: bigint | null };

const methodToWire = (method: ShownMethod): calls.PaymentMethod => ({
  _id: method.id,
  paymentname: method.paymentname,
  paymentaddress: method.paymentaddress,
  tag: method.tag === null ? null : String(method.tag),
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
    confirmations: payment.confirmations,
    needed: asked ?? usual,
    worth: payment.cents === null ? null : toWire(payment.cents),
    price: payment.price,
    pricesource: payment.priceSource,
    priceat: payment.priceAt?.toISOString() ?? null,
    seenat: payment.seenAt.toISOString(),
  };
}

/** What a wallet fills its form from: the amount as far as one was known. */
function payUri(row: ShownRequest, chainIds: ChainIds): string | null {
  const network = networkOf(row.coin ?? '');
  if (!network || row.sample) return null;
  const units = row.coinAmount && decimalToUnits(row.coinAmount, networks[network].coin.decimals);
  return paymentUri({
    network,
    address: row.paymentaddress,
    units: units || null,
    tag: row.tag === null ? null : Number(row.tag),
    chainId: chainIds[network] ?? null,
  });
}

const requestToWire = (row: ShownRequest, chainIds: ChainIds): calls.FundingRequest => ({
  _id: row.id,
  transactionid: row.transactionid,
  fundingtype: row.paymentname,
  paymentaddress: row.paymentaddress,
  tag: row.tag === null ? null : String(row.tag),
  // An answer that was kept with its key by an earlier version says nothing about these three.
  network: row.methodNetwork ?? '',
  coin: row.coin ?? '',
  sample: row.sample ?? false,
  amount: toWire(row.amountCents),
  coinamount: row.coinAmount,
  payuri: payUri(row, chainIds),
  payment: paymentToWire(row),
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

export function fundingPublicRoutes({
  funding,
  whoever,
}: {
  funding: Funding;
  whoever: onRequestAsyncHookHandler;
}) {
  return async (app: FastifyInstance) => {
    app.addHook('onRequest', whoever);
    serve(app, 'public', calls.fetchpaymentmethod, async ({ request }) => ({
      data: (await funding.paymentMethods({ userId: request.identity?.userId ?? null })).map(methodToWire),
    }));
  };
}

interface FundingRoutesNeeds {
  funding: Funding;
  ledger: Ledger;
  config: { chainIds: ChainIds };
}

export function fundingRoutes({ funding, ledger, config: { chainIds } }: FundingRoutesNeeds) {
  return async (app: FastifyInstance) => {
    serve(app, 'investor', calls.addbalance, async ({ body, request }) => {
      const row = await funding.askForFunding({
        userId: identityOf(request).userId,
        paymentname: body.fundingtypename,
        amountCents: body.amount,
        idempotencyKey: idempotencyKeyOf(request),
      });
      return { request: requestToWire(row, chainIds) };
    });

    serve(app, 'investor', calls.fetchbalance, async ({ query, request }) => {
      const { userId } = identityOf(request);
      const { page, search, fundingtype } = query;
      if (page === undefined && search === undefined && fundingtype === undefined) {
        return streamedList('balance', ledger.allEntries({ userId }), entryToWire);
      }
      const filter = { search, label: fundingtype };
      const shown = page ?? 1;
      const shownPage = { userId, filter, page: shown, pageSize };
      const { total, entries, labels } = await ledger.pageOfEntries(shownPage);
      const balance = entries.map(entryToWire);
      return { balance, fundingtypes: labels, page: shown, pages: pagesOf(total), total };
    });

    serve(app, 'investor', calls.fetchrequests, async ({ query, request }) => {
      const page = query.page ?? 1;
      const filter = { userId: identityOf(request).userId, status: query.status, page };
      const { total, requests } = await funding.pageOfRequests(filter);
      return {
        request: requests.map((row) => requestToWire(row, chainIds)),
        page,
        pages: pagesOf(total),
        total,
      };
    });

    const file = { summary: 'The same list as CSV', filename: 'transactions.csv', query: ExportQuery };
    serveCsv(app, calls.fetchbalance, file, async ({ query, request }) => {
      const { userId } = identityOf(request);
      const filter = { search: query.search, label: query.fundingtype };
      return streamedCsv(csvHeads, ledger.allEntries({ userId, filter }), csvFields);
    });
  };
}
