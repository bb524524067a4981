import { networks as facts, networkIds } from '@tallystick/contract/networks';
import * as calls from '@tallystick/contract/operator/networks';
import type { FastifyInstance } from 'fastify';
import type { ChainNames } from '../../../platform/chains/explorer.ts';
import { unitsToDecimal } from '../../../platform/chains/units.ts';
import { serve } from '../../../platform/http/serve.ts';
import { chainPaymentToWire } from '../payment-wire.ts';
import type { Person } from '../queue/store.ts';
import { calledBy } from '../rules.ts';
import type { Console, ConsoleParts } from '../service.ts';
import { actorOf } from '../session/routes.ts';
import type { StrayPaymentRow } from './store.ts';

const personToWire = ({ userId, fullname, email }: Person) => ({
  _id: userId,
  fullname: calledBy({ fullname, email }),
  email,
});

function investorOf({ userId, fullname, email }: StrayPaymentRow): calls.StrayPayment['investor'] {
  if (userId === null || email === null) return null;
  return personToWire({ userId, fullname: fullname ?? '', email });
}

type SurplusRow = Awaited<ReturnType<Console['surpluses']>>['shown'][number];

const surplusToWire = (row: SurplusRow): calls.Surplus => ({
  _id: row.id,
  network: row.network,
  coins: unitsToDecimal(row.units, facts[row.network].coin.decimals),
  address: row.address,
  investor: row.investor && personToWire(row.investor),
  fromheight: row.heightFrom,
  toheight: row.heightTo,
  foundat: row.foundAt.toISOString(),
});

const paymentToWire = (row: StrayPaymentRow, names: ChainNames): calls.StrayPayment => ({
  _id: row.id,
  network: row.network,
  why: row.why,
  ...chainPaymentToWire({ ...row, units: BigInt(row.units) }, names),
  address: row.address,
  tag: row.tag === null ? null : String(row.tag),
  path: row.path,
  investor: investorOf(row),
  transactionid: row.transactionid,
});

export function networksRoutes(app: FastifyInstance, { operator, networks, config }: ConsoleParts): void {
  serve(app, 'operator', calls.chains, async () => {
    const [cursors, states, payments, surpluses] = await Promise.all([
      networks.cursors(),
      networks.states(),
      operator.strayPayments(),
      operator.surpluses(),
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
      payments: payments.map((row) => paymentToWire(row, config)),
      counts: {
        lost: countOf('lost'),
        nobody: countOf('nobody'),
        closed: countOf('closed'),
        'held-up': countOf('held-up'),
        unpriced: countOf('unpriced'),
        dust: countOf('dust'),
      },
      surpluses: surpluses.shown.map(surplusToWire),
      surplusescount: surpluses.count,
    };
  });

  serve(app, 'operator', calls.endsurplus, async ({ params, body, request }) => {
    await networks.endSurplus({ id: params.id, note: body.note, actor: actorOf(request) });
    return { message: 'It is noted what these coins were.' };
  });
}
