import { pagesOf } from '@tallystick/contract/list';
import { toWire } from '@tallystick/contract/money';
import * as calls from '@tallystick/contract/withdrawal';
import type { FastifyInstance } from 'fastify';
import { identityOf, ownUserId } from '../../platform/http/identity.ts';
import { idempotencyKeyOf, serve } from '../../platform/http/serve.ts';
import type { Withdrawals } from './service.ts';
import type { WithdrawalRow } from './store.ts';

const withdrawalToWire = (row: WithdrawalRow): calls.Withdrawal => ({
  _id: row.id,
  transactionid: row.transactionid,
  methodname: row.methodname,
  withdrawalamount: toWire(row.amountCents),
  withdrawaladdress: row.address,
  withdrawaltag: null,
  status: row.status,
  payout: null,
  chaintransactionid: row.chainTxid,
  explorer: null,
  reason: row.reason,
  requestedat: row.requestedAt.toISOString(),
  approvedat: row.approvedAt?.toISOString() ?? null,
  endedat: row.endedAt?.toISOString() ?? null,
});

export function withdrawalPublicRoutes(withdrawal: Withdrawals) {
  return async (app: FastifyInstance) => {
    serve(app, 'public', calls.fetchallwithdrawal, async () => ({
      data: (await withdrawal.withdrawalMethods()).map(({ id, methodname, network }) => ({
        _id: id,
        methodname,
        network,
      })),
    }));
  };
}

export function withdrawalRoutes(withdrawal: Withdrawals) {
  return async (app: FastifyInstance) => {
    serve(app, 'investor', calls.makenewwithdrawal, async ({ body, request }) => {
      const row = await withdrawal.askForWithdrawal({
        userId: ownUserId(request, body.userid),
        methodId: body.withdrawalid,
        amountCents: body.withdrawalamount,
        address: body.withdrawaladdress,
        idempotencyKey: idempotencyKeyOf(request),
      });
      return { withdrawal: withdrawalToWire(row) };
    });

    serve(app, 'investor', calls.fetchwithdrawals, async ({ query, request }) => {
      const page = query.page ?? 1;
      const filter = { userId: identityOf(request).userId, status: query.status, page };
      const { total, withdrawals } = await withdrawal.pageOfWithdrawals(filter);
      return { withdrawal: withdrawals.map(withdrawalToWire), page, pages: pagesOf(total), total };
    });

    serve(app, 'investor', calls.cancelwithdrawal, async ({ params, request }) => {
      const row = await withdrawal.cancelWithdrawal({
        userId: identityOf(request).userId,
        withdrawalId: params.withdrawalid,
        idempotencyKey: idempotencyKeyOf(request),
      });
      return { withdrawal: withdrawalToWire(row) };
    });
  };
}
