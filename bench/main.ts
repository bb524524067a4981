/**
 * `npm run bench`: the product's speed as ratios, measured side by side on one machine in one run. Writes
 * `bench/results.json`; docs/performance.md says how each is measured and what was found.
 */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type MailServer, startMailServer } from '../server/testing/outside/mail-server.ts';
import { assertBooksAddUp, type Bank, openBank } from './bank.ts';
import { fillAddresses, readBlocks } from './chains/read-blocks.ts';
import { residentBytes } from './cpu.ts';
import { missed } from './keys.ts';
import { fillLists, fillTo, measureGrowth, measureLists, settleDown } from './latency.ts';
import { deliverLetters } from './letters.ts';
import { type Cluster, fill, openCluster } from './postgres/cluster.ts';
import { findPgbench, prepareTpcb } from './postgres/pgbench.ts';
import { writeProfile } from './profile.ts';
import { measureProof } from './proof/measure.ts';
import { keysTable, ratesTable } from './report.ts';
import { byCpuOf, keysOf, type Measured, machineOf, resultsText } from './results.ts';
import { measure, takeTurns } from './rounds.ts';
import { measureServers } from './servers/measure.ts';
import { full, quick, type Size } from './size.ts';
import { measureStart, prepareStart } from './start.ts';
import { createWays } from './ways.ts';

const { values: flags } = parseArgs({
  options: {
    /** Shorter rounds and smaller journals. */
    quick: { type: 'boolean', default: false },
    /** Fail when a `must` is missed. */
    must: { type: 'boolean', default: false },
    /** Write down what server and database do meanwhile. */
    profile: { type: 'boolean', default: false },
    /** Nothing but a statement of the books. */
    proof: { type: 'boolean', default: false },
    /** Nothing but one web process beside several on one database: `1,2`. */
    servers: { type: 'string' },
    /** How many commands share a transaction at most: with 1 it shows what the batches are for. */
    batch: { type: 'string' },
  },
});
const batchSizeMax = flags.batch === undefined ? null : Number(flags.batch);
if (batchSizeMax !== null && !(Number.isSafeInteger(batchSizeMax) && batchSizeMax > 0)) {
  process.stderr.write(
    `--batch takes a whole number of commands from 1 on, not ${JSON.stringify(flags.batch)}.\n`,
  );
  process.exit(2);
}
const serverCounts = flags.servers === undefined ? null : flags.servers.split(',').map(Number);
if (serverCounts && !serverCounts.every((count) => Number.isSafeInteger(count) && count > 0 && count <= 16)) {
  process.stderr.write(`--servers takes whole numbers from 1 to 16, as 1,2, not ${flags.servers}.\n`);
  process.exit(2);
}
const size: Size = flags.quick ? quick : full;
const begun = performance.now();
const secondsSince = () => (performance.now() - begun) / 1000;
const print = (text: string) => process.stdout.write(`${text}\n`);
const tell = (line: string) => print(`${secondsSince().toFixed(0).padStart(4)} s  ${line}`);

type Pgbench = Parameters<typeof createWays>[1];

async function measureRates(
  cluster: Cluster,
  bank: Bank,
  pgbench: Pgbench,
): Promise<Pick<Measured, 'rounds' | 'clients'>> {
  const { order, ways, prepare, clients } = await createWays(bank, pgbench, size);
  const go = async (name: (typeof order)[number], seconds: number) =>
    (await ways[name]?.(seconds)) ?? { done: 0, seconds };
  tell(`pgbench is at its best with ${JSON.stringify(clients)} clients`);
  const times = Math.ceil((size.settled * (size.rounds + 1)) / bank.investorCount);
  await fill(bank.database, { first: 1, last: bank.investorCount, times, ...bank });
  await settleDown(cluster, [bank]);
  const ours = order.filter((name) => name !== 'pgbench' && name !== 'single');
  // Of 128 connections each, no more at once than the server lets in before it knows how fast it is.
  await Promise.all([go('noop_post', size.warmSeconds), go('noop_get', size.warmSeconds)]);
  await Promise.all([go('read_http', size.warmSeconds), go('ledger', size.warmSeconds)]);
  // What has the most code needs the longest until all of it is compiled, and until everyone has been seen once.
  await go('money_http', 4 * size.warmSeconds);
  await prepare('settle');
  await go('settle', size.warmSeconds);
  const meter = { cluster, bank };
  const rounds = await takeTurns(meter, { ...size, order, prepare, go, tell });
  for (const name of flags.profile ? ours : []) {
    await prepare(name);
    await writeProfile(meter, name, () => go(name, size.secondsEach));
  }
  return { rounds, clients };
}

async function measureAll(cluster: Cluster, smtp: MailServer, banks: Bank[]): Promise<Measured> {
  const demoDir = join(cluster.dir, 'demo');
  // Nothing is measured yet: what comes last is prepared beside what comes first.
  const [[many, few], pgbench] = await Promise.all([
    openBanks(cluster, smtp, banks),
    preparePgbench(cluster),
    prepareStart(demoDir),
  ]);
  tell(`${size.investors} investors have money`);
  const rates = await measureRates(cluster, many, pgbench);
  const meter = { cluster, bank: many };
  const letters = await measure(meter, () => deliverLetters(many, smtp, size.letterSeconds));
  tell(`${Math.round(letters.per_s)} letters a second`);

  await grow(many, few);
  await settleDown(cluster, [few, many]);
  tell('journals and lists have grown');
  const growth = await measureGrowth(few, many, size);
  const lists = await measureLists(many, size);
  const memoryBytes = residentBytes(many.server.pid);
  tell('one at a time is measured');
  const start = await measureStart(demoDir, size.starts);
  const chains = await readBlocks(few.database, size.blocks.times);
  tell('blocks are read');
  const proof = await measureProof(cluster, size.proven);
  tell(`${proof.investors} investors have their proof`);
  return { ...rates, letters, growth, lists, memoryBytes, start, chains, proof };
}

/** What was measured is checked, and what will be is filled: none of it is measured itself, so it is done at once. */
async function grow(many: Bank, few: Bank): Promise<void> {
  const check = assertBooksAddUp(many).then((entries) => tell(`the books agree: ${entries} entries`));
  const addresses = fillAddresses(few.database, size.blocks.evmAddresses);
  await Promise.all([check, fillTo(few, size.growth.few), fillLists(many, size), addresses]);
  await fillTo(many, size.growth.many);
}

async function preparePgbench(cluster: Cluster): Promise<Pgbench> {
  const program = await findPgbench();
  if (!program) return null;
  const database = await cluster.createDatabase('pgbench');
  return { program, tpcb: await prepareTpcb(program, database, size.pgbenchScale) };
}

/** One that will have a long journal, and one whose journal stays short. */
async function openBanks(cluster: Cluster, smtp: MailServer, banks: Bank[]): Promise<[Bank, Bank]> {
  const open = async (name: string, investorCount: number, apartCount: number) => {
    const database = await cluster.createMigrated(name);
    const counts = { investorCount, apartCount };
    const bank = await openBank({ cluster, database, name, ...counts, smtpUrl: smtp.url, batchSizeMax });
    banks.push(bank);
    return bank;
  };
  const opening = [
    open('many', size.investors, Math.ceil(size.investors / 4)),
    open('few', Math.ceil(size.investors / 10), 0),
  ] as const;
  // Where one fails, the other is there to be closed.
  await Promise.allSettled(opening);
  return Promise.all(opening);
}

const [loadBefore] = loadavg();
const smtp = await startMailServer();
const cluster = await openCluster({ countsStatements: flags.profile });
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cluster.close().finally(() => process.exit(1)));
}
if (flags.proof || serverCounts) {
  try {
    const asked = { smtpUrl: smtp.url, counts: serverCounts ?? [], isProfiled: flags.profile, tell };
    if (serverCounts) print(`\n${await measureServers(cluster, asked)}\n`);
    else print(JSON.stringify(await measureProof(cluster, size.proven), null, 2));
  } finally {
    await cluster.close();
    await smtp.close();
  }
  process.exit();
}
const banks: Bank[] = [];
let measured: Measured;
try {
  measured = await measureAll(cluster, smtp, banks);
} finally {
  for (const { server } of banks) await server.close();
  await cluster.close();
  await smtp.close();
}
const run = {
  date: new Date().toISOString(),
  size: flags.quick ? 'quick' : 'full',
  seconds: secondsSince(),
  batch_size_max: batchSizeMax,
  machine: { ...machineOf(cluster.version), load_before: loadBefore },
  ...size,
};
await writeFile(new URL('results.json', import.meta.url), resultsText(measured, run));
const keys = keysOf(measured);
print(`\n${ratesTable(measured)}\n\n${keysTable(keys, byCpuOf(measured))}\n`);
tell('written to bench/results.json');
if (flags.must && missed(keys).length > 0) {
  process.stderr.write(`Missed, or not measured: ${missed(keys).join(', ')}.\n`);
  process.exitCode = 1;
}
