import { networkIds } from '@tallystick/contract/networks';
import * as calls from '@tallystick/contract/operator/networks';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../../platform/http/serve.ts';
import { chainPaymentToWire } from '../payment-wire.ts';
import type { ConsoleParts } from '../service.ts';
import type { StrayPaymentRow } from './store.ts';

function investorOf({ userId, fullname, email }: StrayPaymentRow): calls.StrayPayment['investor'] {
  if (userId === null || email === null) return null;
  return { _id: userId, fullname: fullname || email, email };
}

const paymentToWire = (row: StrayPaymentRow): calls.StrayPayment => ({
  _id: row.id,
  network: row.network,
  why: row.why,
  ...chainPaymentToWire({ ...row, units: BigInt(row.units) }),
  address: row.address,
  tag: row.tag === null ? null : String(row.tag),
  path: row.path,
  investor: investorOf(row),
  transactionid: row.transactionid,
});

export function networksRoutes(app: FastifyInstance, { operator, networks }: ConsoleParts): void {
  serve(app, 'operator', calls.chains, async () => {
    const [cursors, states, payments] = await Promise.all([
      networks.cursors(),
      networks.states(),
      operator.strayPayments(),
    ]);
    const countOf = (why: calls.StrayPayment['why']) =>
      Number(payments.find((row) => row.why === why)?.count ?? 0n);
    return {
      networks: networkIds.map((network) => {
        const [state, cursor] = [states.get(network), cursors.get(network)];
        return {
          network,
          watched: networks.isWatched(network),
          state: state?.state ?? null,
          said: state?.said ?? null,
          since: state?.since.toISOString() ?? null,
          lookedat: state?.lookedAt.toISOString() ?? null,
          height: cursor?.height ?? null,
          tip: cursor?.tip ?? null,
        };
      }),
      payments: payments.map(paymentToWire),
      counts: {
        lost: countOf('lost'),
        nobody: countOf('nobody'),
        unpriced: countOf('unpriced'),
        dust: countOf('dust'),
      },
    };
  });
}
