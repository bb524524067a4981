import { loadavg } from 'node:os';
import { makeinvestment } from '@tallystick/contract/investment';
import { summary } from '@tallystick/contract/ledger';
import { assertBooksAddUp, type Bank, httpConnections, openBank } from '../bank.ts';
import { endedChildrenMicros, familyMicros, processMicros } from '../cpu.ts';
import { settleDown } from '../latency.ts';
import { requestText } from '../load/load.ts';
import type { Cluster } from '../postgres/cluster.ts';
import { topStatements } from '../profile.ts';
import { tableOf } from '../report.ts';
import { median } from '../rounds.ts';
import { type ServerProcess, startServer } from '../server/process.ts';
import { createCrowd, type Routing } from './crowd.ts';

/**
 * Each setting has investors of its own: what servers remember of them is then as it would be if there were no other
 * setting. Few enough that all of them have been asked for before anything is measured, also where it goes slowly.
 */
const investorsEach = 500;
const rounds = 3;
const warmSeconds = 2;
const profileSeconds = 4;
const ways = { money: { seconds: 2 }, read: { seconds: 1 } } as const;
type WayName = keyof typeof ways;
const wayWords: Record<WayName, string> = {
  money: `POST makeinvestment, ${httpConnections} connections`,
  read: `GET summary, ${httpConnections} connections`,
};

interface Setting {
  servers: number;
  routing: Routing;
  crowds: Record<WayName, Crowd>;
}

/** What one setting did in one round. */
interface Figures {
  per_s: number;
  p50_ms: number;
  p99_ms: number;
  node_us: number;
  postgres_us: number;
  client_us: number;
}
const columns = ['per_s', 'p50_ms', 'p99_ms', 'node_us', 'postgres_us', 'client_us'] as const;

/** Several servers once with everybody at one of their own, and once at any. */
const routingsOf = (servers: number): Routing[] => (servers === 1 ? ['sticky'] : ['sticky', 'spread']);

async function settingsOf(bank: Bank, counts: number[]): Promise<Setting[]> {
  const pairs = counts.flatMap((servers) => routingsOf(servers).map((routing) => ({ servers, routing })));
  const settings: Setting[] = [];
  for (const [at, pair] of pairs.entries()) settings.push({ ...pair, crowds: await createWays(bank, at) });
  return settings;
}

const nameOf = ({ servers, routing }: Pick<Setting, 'servers' | 'routing'>) =>
  servers === 1 ? 'one server' : `${servers} servers, ${routing}`;

type Crowd = Awaited<ReturnType<typeof createCrowd>>;

async function createWays(bank: Bank, at: number): Promise<Record<WayName, Crowd>> {
  const { planId, amountCents, dir } = bank;
  const investors = bank.investors.slice(at * investorsEach, (at + 1) * investorsEach);
  const wish = (userid: string) => ({
    userid,
    planid: planId,
    investinvestmemntamount: amountCents / 100,
  });
  const money = investors.map(({ userId, bearer }) =>
    requestText({ ...makeinvestment, bearer, body: wish(userId) }),
  );
  const read = investors.map(({ bearer }) =>
    requestText({ method: summary.method, path: summary.path, bearer }),
  );
  return {
    money: await createCrowd(`${dir}/money-${at}`, money),
    read: await createCrowd(`${dir}/read-${at}`, read),
  };
}

interface Bench {
  cluster: Cluster;
  all: ServerProcess[];
}

function asked({ all }: Bench, { servers, routing, crowds }: Setting, way: WayName, seconds: number) {
  const ports = all.slice(0, servers).map(({ port }) => port);
  return crowds[way]({ ports, routing, connections: httpConnections, seconds });
}

async function measureOne(bench: Bench, way: WayName, setting: Setting): Promise<Figures> {
  const { cluster, all } = bench;
  // All of them: one that is not asked costs its share, too.
  const read = () => ({
    node_us: all.reduce((sum, { pid }) => sum + processMicros(pid), 0),
    postgres_us: familyMicros(cluster.postmasterPid),
    client_us: endedChildrenMicros(),
  });
  const before = read();
  const { done, seconds, p50_ms, p99_ms } = await asked(bench, setting, way, ways[way].seconds);
  const after = read();
  const each = (name: keyof typeof before) => (after[name] - before[name]) / done;
  return {
    per_s: done / seconds,
    p50_ms,
    p99_ms,
    node_us: each('node_us'),
    postgres_us: each('postgres_us'),
    client_us: each('client_us'),
  };
}

/** Beside the first of the settings, in each round. */
function ratioOf(own: Figures[], first: Figures[]): string {
  return median(own.map(({ per_s }, round) => per_s / (first[round]?.per_s ?? Number.NaN))).toFixed(2);
}

const told = (name: (typeof columns)[number], value: number) =>
  name.endsWith('_ms') ? value.toFixed(1) : Math.round(value).toLocaleString('en-US');

function tableFor(way: WayName, settings: Setting[], measured: Map<string, Figures[]>): string {
  const of = (setting: Setting) => measured.get(`${way} ${nameOf(setting)}`) ?? [];
  const rows = settings.map((setting) => {
    const own = of(setting);
    const cells = columns.map((name) => told(name, median(own.map((figures) => figures[name]))));
    return [nameOf(setting), ...cells, ratioOf(own, of(settings[0] as Setting))];
  });
  const head = ['a second', 'p50 ms', 'p99 ms', 'node µs', 'PostgreSQL µs', 'who asks µs', 'to the first'];
  return tableOf([[wayWords[way], ...head], ...rows]);
}

async function measureAll(bench: Bench, settings: Setting[], tell: (line: string) => void) {
  const measured = new Map<string, Figures[]>();
  for (let round = 1; round <= rounds; round += 1) {
    for (const way of Object.keys(ways) as WayName[]) {
      for (const setting of settings) {
        const name = `${way} ${nameOf(setting)}`;
        const figures = await measureOne(bench, way, setting);
        measured.set(name, [...(measured.get(name) ?? []), figures]);
        tell(`round ${round} of ${rounds}: ${name} ${Math.round(figures.per_s)} a second`);
      }
    }
  }
  return measured;
}

/** What the database does for investments, and how much it keeps of one. */
async function profileOf(bench: Bench, setting: Setting): Promise<string> {
  const { admin, database } = bench.cluster;
  const bytes = async () => {
    const { rows } = await database.owner.query('select pg_database_size(current_database()) as bytes');
    return Number(rows[0].bytes);
  };
  await admin.query('select pg_stat_statements_reset()');
  const before = await bytes();
  const { done } = await asked(bench, setting, 'money', profileSeconds);
  const kept = Math.round(((await bytes()) - before) / done);
  const statements = await topStatements(bench.cluster);
  return `${done} investments by ${nameOf(setting)}, ${kept} bytes of database each\n${statements.join('\n')}`;
}

interface Wanted {
  smtpUrl: string;
  counts: number[];
  /** Statements are counted, which costs a little. */
  isProfiled: boolean;
  tell(line: string): void;
}

/** As many web processes as asked for on one database, the same people asking all of them. */
export async function measureServers(
  cluster: Cluster,
  { smtpUrl, counts, isProfiled, tell }: Wanted,
): Promise<string> {
  const [load = 0] = loadavg();
  const investorCount = investorsEach * counts.flatMap(routingsOf).length;
  const opening = { cluster, database: cluster.database, name: 'servers', investorCount, smtpUrl };
  const bank = await openBank({ ...opening, batchSizeMax: null });
  const all = [bank.server];
  try {
    while (all.length < Math.max(...counts)) {
      const settingsOfServer = { databaseUrl: bank.database.url, dataDir: bank.dir, smtpUrl };
      all.push(await startServer({ ...settingsOfServer, batchSizeMax: null }));
    }
    tell(`${all.length} servers, ${investorCount} investors have money`);
    const settings = await settingsOf(bank, counts);
    await settleDown(cluster, [bank]);
    const bench = { cluster, all };
    for (const setting of settings.toReversed())
      for (const way of ['read', 'money'] as const) await asked(bench, setting, way, warmSeconds);
    const measured = await measureAll(bench, settings, tell);
    tell(`the books agree: ${await assertBooksAddUp(bank)} entries`);
    const tables = (Object.keys(ways) as WayName[]).map((way) => tableFor(way, settings, measured));
    const profiles: string[] = [];
    for (const setting of isProfiled ? settings : []) profiles.push(await profileOf(bench, setting));
    const how = `load before ${load.toFixed(1)}, medians of ${rounds} rounds`;
    return [...tables, how, ...profiles].join('\n\n');
  } finally {
    for (const server of all) await server.close();
  }
}
