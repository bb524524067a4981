/**
 * `npm run bench`: the product's speed as ratios, measured side by side on one machine in one run. Writes
 * `bench/results.json`; docs/performance.md says how each is measured and what was found.
 */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startMailServer } from '../server/testing/outside/mail-server.ts';
import { assertBooksAddUp, type Bank, openBank } from './bank.ts';
import { residentBytes } from './cpu.ts';
import { demands, holds, type Key, ratios } from './keys.ts';
import {
  fillLists,
  fillTo,
  type Growth,
  type Lists,
  measureGrowth,
  measureLists,
  settleDown,
} from './latency.ts';
import { deliverLetters } from './letters.ts';
import { wrk } from './load/load.ts';
import { type Cluster, fill, openCluster } from './postgres/cluster.ts';
import { writeProfile } from './profile.ts';
import { keysTable, ratesTable } from './report.ts';
import { measure, median, medians, type Rounds, takeTurns } from './rounds.ts';
import { full, quick, type Size } from './size.ts';
import { measureStart, prepareStart } from './start.ts';
import { createWays, type WayName } from './ways.ts';

const { values: flags } = parseArgs({
  options: {
    /** Shorter rounds and smaller journals. */
    quick: { type: 'boolean', default: false },
    /** Fail when a `must` is missed. */
    must: { type: 'boolean', default: false },
    /** Write down what server and database do meanwhile. */
    profile: { type: 'boolean', default: false },
  },
});
const size: Size = flags.quick ? quick : full;
const begun = performance.now();
const say = (line: string) =>
  process.stdout.write(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);
const results = new URL('results.json', import.meta.url);

/** The median of what the rounds say, each compared with what stood beside it. */
function ratioOf(ours: number[] = [], against: number[] = []): number {
  return median(ours.map((value, round) => value / (against[round] ?? Number.NaN)));
}

function ratiosOf(rounds: Rounds): Partial<Record<Key, number>> {
  const rates = (way: WayName) => rounds[way]?.map(({ per_s }) => per_s);
  return Object.fromEntries(
    Object.entries(ratios)
      .filter(([, { ours, against }]) => rounds[ours] && rounds[against])
      .map(([key, { ours, against }]) => [key, ratioOf(rates(ours), rates(against))]),
  );
}

async function measureRates(cluster: Cluster, bank: Bank) {
  const { order, ways, clients } = await createWays(bank, size);
  say(`pgbench is prepared, and at its best with ${JSON.stringify(clients)} clients`);
  const times = Math.ceil((size.settled * size.rounds) / bank.investorCount);
  await fill(bank.database, { first: 1, last: bank.investorCount, times, ...bank });
  await settleDown(cluster, [bank]);
  for (const name of ['money_http', 'noop_post', 'read_http', 'noop_get', 'ledger'] as const) {
    await ways[name]?.(size.warmSeconds);
  }
  const meter = { cluster, bank };
  const rounds = await takeTurns(meter, { ...size, order, ways, tell: say });
  say(`the books agree: ${await assertBooksAddUp(bank)} entries`);
  if (flags.profile) {
    for (const name of order.filter((each) => each !== 'pgbench' && each !== 'single')) {
      await writeProfile(
        meter,
        name,
        async () => (await ways[name]?.(size.secondsEach)) ?? { done: 0, seconds: 1 },
      );
    }
  }
  return { rounds, clients };
}

function latencyKeys(growth: Growth, { few, many }: Lists): Partial<Record<Key, number>> {
  return {
    growth_latency: ratioOf(growth.many_p50_ms, growth.few_p50_ms),
    list_latency: Math.max(
      ratioOf(many.first_p50_ms, few.first_p50_ms),
      ratioOf(many.last_p50_ms, few.last_p50_ms),
    ),
  };
}

function machineOf(cluster: Cluster, load: number) {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? '',
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    postgres: cluster.version,
    load_before: load,
    asked_by: wrk ? 'wrk' : 'own client',
  };
}

async function run(cluster: Cluster, smtp: Awaited<ReturnType<typeof startMailServer>>): Promise<boolean> {
  const [load = 0] = loadavg();
  const banks: Bank[] = [];
  const open = async (name: string, investorCount: number) => {
    const database = name === 'many' ? cluster.database : await cluster.createDatabase(name);
    const bank = await openBank({ cluster, database, name, investorCount, smtpUrl: smtp.url });
    banks.push(bank);
    return bank;
  };
  const demoDir = join(cluster.dir, 'demo');
  try {
    const bank = await open('many', size.investors);
    say(`${size.investors} investors have money`);
    const { rounds, clients } = await measureRates(cluster, bank);
    const letters = await measure({ cluster, bank }, () => deliverLetters(bank, smtp, size.letterSeconds));
    say(`${Math.round(letters.per_s)} letters a second`);

    const few = await open('few', Math.ceil(size.investors / 10));
    await fillTo(few, size.growth.few);
    await fillLists(bank, size);
    await fillTo(bank, size.growth.many);
    await settleDown(cluster, [few, bank]);
    say('journals and lists have grown');
    const growth = await measureGrowth(few, bank, size);
    const lists = await measureLists(bank, size);
    const memoryMb = residentBytes(bank.server.pid) / 2 ** 20;
    say('latencies are measured');
    await prepareStart(demoDir);
    const start = await measureStart(demoDir, size.starts);

    const keys = {
      ...ratiosOf(rounds),
      ...latencyKeys(growth, lists),
      start_s: median(start.seconds),
      memory_mb: memoryMb,
    };
    const written = {
      ...keys,
      letters_per_s: letters.per_s,
      run: {
        date: new Date().toISOString(),
        size: flags.quick ? 'quick' : 'full',
        seconds: (performance.now() - begun) / 1000,
        machine: machineOf(cluster, load),
        ...size,
      },
      rates: Object.fromEntries(
        Object.entries(rounds).map(([name, all]) => [name, { ...medians(all), rounds: all }]),
      ),
      pgbench_clients: clients,
      letters,
      growth,
      lists,
      start,
    };
    await writeFile(results, `${JSON.stringify(written, rounded, 2)}\n`);
    process.stdout.write(`\n${ratesTable(rounds, letters)}\n\n${keysTable(keys)}\n\n`);
    return (Object.entries(keys) as [Key, number][]).every(
      ([key, value]) => holds(demands[key], value) !== 'missed',
    );
  } finally {
    for (const { server } of banks) await server.close();
  }
}

const rounded = (_: string, value: unknown) =>
  typeof value === 'number' ? Number(value.toPrecision(5)) : value;

const smtp = await startMailServer();
const cluster = await openCluster({ countsStatements: flags.profile });
let held = false;
try {
  held = await run(cluster, smtp);
} finally {
  await cluster.close();
  await smtp.close();
}
say('written to bench/results.json');
if (flags.must && !held) process.exitCode = 1;
