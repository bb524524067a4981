import { makeinvestment } from '@tallystick/contract/investment';
import { summary } from '@tallystick/contract/ledger';
import { type Bank, httpConnections } from './bank.ts';
import { createLoad, requestText } from './load/load.ts';
import { prepareSingle, type Tpcb } from './postgres/pgbench.ts';
import type { Investor } from './server/investors.ts';
import type { Done } from './server/loop.ts';
import { noopGet, noopPost } from './server/noop.ts';
import type { Size } from './size.ts';

/** One thing, done again and again for a while. */
export type Way = (seconds: number) => Promise<Done>;
export type WayName =
  | 'money_http'
  | 'noop_post'
  | 'read_http'
  | 'noop_get'
  | 'ledger'
  | 'settle'
  | 'pgbench'
  | 'single';

export const wayWords: Record<WayName, string> = {
  money_http: `POST makeinvestment, ${httpConnections} connections`,
  noop_post: 'authenticated POST that only validates',
  read_http: 'GET summary',
  noop_get: 'authenticated GET that does nothing',
  ledger: 'through the ledger, 1,000 at once',
  settle: 'investments settled',
  pgbench: 'pgbench, TPC-B-like',
  single: 'the same rows, one per transaction, by pgbench',
};

/** For what does much in little time, or the same all the time. */
const halfAsLong =
  (way: Way): Way =>
  (seconds) =>
    way(seconds / 2);

const ledgerAtOnce = 1000;
const clientCounts = [8, 16, 32];

/** As many clients as serve a way best, found by trying each. */
function withBestClients(run: (clients: number, seconds: number) => Promise<Done>) {
  let best = 0;
  return {
    async find(seconds: number): Promise<number> {
      const rates = new Map<number, number>();
      for (const clients of clientCounts) {
        const { done, seconds: took } = await run(clients, seconds);
        rates.set(clients, done / took);
      }
      best = clientCounts.toSorted((a, b) => (rates.get(b) ?? 0) - (rates.get(a) ?? 0))[0] ?? 0;
      return best;
    },
    way: (seconds: number) => run(best, seconds),
  };
}

async function httpWays({ server: { port }, investors, planId, amountCents, dir }: Bank) {
  const overHttp = async (
    { method, path }: { method: string; path: string },
    body?: (investor: Investor) => unknown,
  ): Promise<Way> => {
    const requests = investors.map((investor) =>
      requestText({ method, path, bearer: investor.bearer, ...(body && { body: body(investor) }) }),
    );
    const load = await createLoad(`${dir}/${method}${path.replaceAll('/', '-')}`, requests);
    return (seconds) => load({ port, connections: httpConnections, seconds });
  };
  const wish = ({ userId }: Investor) => ({
    userid: userId,
    planid: planId,
    investinvestmemntamount: amountCents / 100,
  });
  return {
    money_http: await overHttp(makeinvestment, wish),
    noop_post: halfAsLong(await overHttp(noopPost, wish)),
    read_http: halfAsLong(await overHttp(summary)),
    noop_get: halfAsLong(await overHttp(noopGet)),
  };
}

/** In the order in which they take turns: what is compared stands side by side. */
export async function createWays(bank: Bank, pgbench: { program: string; tpcb: Tpcb } | null, size: Size) {
  const { server, database } = bank;
  const http = await httpWays(bank);
  const ways: Partial<Record<WayName, Way>> = {
    ...http,
    ledger: halfAsLong((seconds) => server.ask('invest', { atOnce: ledgerAtOnce, seconds })),
    settle: () => server.ask('settleDue'),
  };
  /** What has to be there before a way can be gone, and is no part of it. */
  const prepare = async (name: WayName) => {
    if (name !== 'settle') return;
    await database.owner.query('select bench.mature($1)', [size.settled]);
    // An investment matures by the clock, not by an update that leaves a second version of its row behind.
    await database.owner.query('vacuum investments');
  };
  const clients: Partial<Record<WayName, number>> = {};
  if (pgbench) {
    const tpcb = withBestClients(pgbench.tpcb);
    const single = withBestClients(await prepareSingle(pgbench.program, bank));
    clients.pgbench = await tpcb.find(size.warmSeconds);
    clients.single = await single.find(size.warmSeconds);
    ways.pgbench = tpcb.way;
    ways.single = halfAsLong(single.way);
  }
  const order: WayName[] = [
    'pgbench',
    'money_http',
    'noop_post',
    'read_http',
    'noop_get',
    'single',
    'ledger',
    'settle',
  ];
  return { order: order.filter((name) => ways[name]), ways, prepare, clients };
}
