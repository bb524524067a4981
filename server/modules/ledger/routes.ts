import * as calls from '@tallystick/contract/ledger';
import { toWire } from '@tallystick/contract/money';
import type { FastifyInstance } from 'fastify';
import { identityOf } from '../../platform/http/identity.ts';
import { serve } from '../../platform/http/serve.ts';
import type { ListedEntry } from './list-store.ts';
import { recordCode } from './rules.ts';
import type { Ledger } from './service.ts';

const entryToWire = (entry: ListedEntry): calls.ChainEntry => ({
  seq: Number(entry.seq),
  at: entry.at.toISOString(),
  transactionid: entry.transactionid,
  fundingtype: entry.label,
  amount: toWire(entry.amountCents),
  balanceafter: toWire(entry.balanceAfterCents),
  hash: entry.hash.toString('hex'),
  recordcode: recordCode(entry.hash),
});

export function ledgerRoutes(ledger: Ledger) {
  const headOf = ({ accountId, entryCount, head }: Awaited<ReturnType<Ledger['chain']>>['head']) => ({
    account: accountId,
    seq: Number(entryCount),
    hash: head,
  });

  return async (app: FastifyInstance) => {
    serve(app, 'investor', calls.summary, async ({ request }) => {
      const summary = await ledger.summary({ userId: identityOf(request).userId });
      return {
        available: toWire(summary.availableCents),
        invested: toWire(summary.investedCents),
        withdrawing: toWire(summary.withdrawingCents),
        together: toWire(summary.togetherCents),
        entries: Number(summary.entryCount),
        head: headOf(summary),
      };
    });

    serve(app, 'investor', calls.history, async ({ query, request }) => {
      const { userId } = identityOf(request);
      const history = await ledger.history({ userId, days: query.days, on: request.readDb });
      return {
        history: history.map(({ at, balanceCents }) => ({
          at: at.toISOString(),
          balance: toWire(balanceCents),
        })),
      };
    });

    serve(app, 'investor', calls.entries, async ({ query, request }) => {
      const { userId } = identityOf(request);
      const { entries, head } = await ledger.chain({ ...query, userId, after: BigInt(query.after) });
      return { entries: entries.map(entryToWire), head: headOf(head) };
    });
  };
}
