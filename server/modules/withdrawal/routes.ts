import { pagesOf } from '@tallystick/contract/list';
import { toWire } from '@tallystick/contract/money';
import { networkOf, networks } from '@tallystick/contract/networks';
import * as calls from '@tallystick/contract/withdrawal';
import type { FastifyInstance } from 'fastify';
import { type ChainNames, explorerOf } from '../../platform/chains/explorer.ts';
import { unitsToDecimal } from '../../platform/chains/units.ts';
import { identityOf, ownUserId } from '../../platform/http/identity.ts';
import { idempotencyKeyOf, serve } from '../../platform/http/serve.ts';
import type { Users } from '../users/service.ts';
import { addressPublicRoutes, addressRoutes } from './addresses/routes.ts';
import type { Withdrawals } from './service.ts';
import type { CoinsFor } from './sheets/sheet-store.ts';
import type { WithdrawalRow } from './store.ts';

type Shown = WithdrawalRow & { coins: CoinsFor | null };

function payoutToWire({ coins, network: name }: Shown): calls.Withdrawal['payout'] {
  const network = networkOf(name);
  if (!coins || !network) return null;
  const { ticker, decimals } = networks[network].coin;
  return {
    coins: unitsToDecimal(coins.units, decimals),
    ticker,
    price: coins.price,
    pricesource: coins.priceSource,
    priceat: coins.priceAt.toISOString(),
  };
}

/** What somebody has named and another has not is not said to be paid. */
function paidWith({ status, chainTxid, network: name }: Shown, names: ChainNames) {
  const network = networkOf(name);
  const txid = status === 'paid' ? chainTxid : null;
  return { chaintransactionid: txid, explorer: txid && network ? explorerOf(network, txid, names) : null };
}

const withdrawalToWire = (row: Shown, names: ChainNames): calls.Withdrawal => ({
  _id: row.id,
  transactionid: row.transactionid,
  methodname: row.methodname,
  withdrawalamount: toWire(row.amountCents),
  withdrawaladdress: row.address,
  withdrawaltag: row.tag === null ? null : String(row.tag),
  status: row.status,
  payout: payoutToWire(row),
  ...paidWith(row, names),
  reason: row.reason,
  requestedat: row.requestedAt.toISOString(),
  approvedat: row.approvedAt?.toISOString() ?? null,
  endedat: row.endedAt?.toISOString() ?? null,
});

export function withdrawalPublicRoutes(withdrawal: Withdrawals) {
  return async (app: FastifyInstance) => {
    addressPublicRoutes(app, withdrawal);
    serve(app, 'public', calls.fetchallwithdrawal, async () => ({
      data: (await withdrawal.withdrawalMethods()).map(({ id, methodname, network }) => ({
        _id: id,
        methodname,
        network,
      })),
    }));
  };
}

interface WithdrawalRoutesNeeds {
  withdrawal: Withdrawals;
  users: Pick<Users, 'demandStepUp' | 'unasked'>;
  config: ChainNames;
}

export function withdrawalRoutes({ withdrawal, users, config }: WithdrawalRoutesNeeds) {
  const toWireOf = (row: WithdrawalRow) => withdrawalToWire({ ...row, coins: null }, config);
  return async (app: FastifyInstance) => {
    addressRoutes(app, withdrawal);
    serve(app, 'investor', calls.makenewwithdrawal, async ({ body, request }) => {
      const userId = ownUserId(request, body.userid);
      const row = await withdrawal.askForWithdrawal({
        userId,
        methodId: body.withdrawalid,
        amountCents: body.withdrawalamount,
        address: body.withdrawaladdress,
        tag: body.withdrawaltag === undefined ? null : BigInt(body.withdrawaltag),
        idempotencyKey: idempotencyKeyOf(request),
        unaskedCents: await users.unasked(identityOf(request)),
        demandStepUp: () => users.demandStepUp(identityOf(request)),
      });
      return { withdrawal: toWireOf(row) };
    });

    serve(app, 'investor', calls.fetchwithdrawals, async ({ query, request }) => {
      const page = query.page ?? 1;
      const { userId } = identityOf(request);
      const filter = { userId, status: query.status, page, on: request.readDb };
      const { total, withdrawals } = await withdrawal.pageOfWithdrawals(filter);
      const shown = withdrawals.map((row) => withdrawalToWire(row, config));
      return { withdrawal: shown, page, pages: pagesOf(total), total };
    });

    serve(app, 'investor', calls.cancelwithdrawal, async ({ params, request }) => {
      const row = await withdrawal.cancelWithdrawal({
        userId: identityOf(request).userId,
        withdrawalId: params.withdrawalid,
        idempotencyKey: idempotencyKeyOf(request),
      });
      return { withdrawal: toWireOf(row) };
    });
  };
}
