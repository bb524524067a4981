import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Bank } from '../bank.ts';
import type { Done } from '../server/loop.ts';
import type { Database } from './cluster.ts';

const run = promisify(execFile);
const threads = 2;

export type Tpcb = Awaited<ReturnType<typeof prepareTpcb>>;

/** PostgreSQL's own load generator; null where it is not installed. */
export async function findPgbench(): Promise<string | null> {
  const bindir = await run('pg_config', ['--bindir']).then(
    ({ stdout }) => [stdout.trim()],
    () => [],
  );
  const folders = [...bindir, ...(process.env.PATH ?? '').split(path.delimiter)];
  return folders.map((folder) => path.join(folder, 'pgbench')).find((file) => existsSync(file)) ?? null;
}

function callOn(program: string, databaseUrl: string) {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const env = { ...process.env, PGPASSWORD: decodeURIComponent(password) };
  const where = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)];
  return async (args: string[]) => (await run(program, [...args, ...where], { env })).stdout;
}

async function measure(
  call: (args: string[]) => Promise<string>,
  clients: number,
  seconds: number,
  args: string[],
) {
  const wholeSeconds = String(Math.max(1, Math.round(seconds)));
  const load = ['-n', '-M', 'prepared', '-c', String(clients), '-j', String(threads), '-T', wholeSeconds];
  const said = await call([...load, ...args]);
  // Absent when the time was over before everyone had connected.
  const rate = Number(/^tps = ([\d.]+)/m.exec(said)?.[1] ?? 0);
  const done = Number(/^number of transactions actually processed: (\d+)/m.exec(said)?.[1]);
  const failed = Number(/^number of failed transactions: (\d+)/m.exec(said)?.[1] ?? 0);
  if (Number.isNaN(done) || failed > 0) throw new Error(`pgbench said: ${said}`);
  return { done, seconds: rate > 0 ? done / rate : seconds };
}

type WithClients = (clients: number, seconds: number) => Promise<Done>;

/** The built-in transaction that is like TPC-B: three updates, a select, an insert. As many branches as the scale says. */
export async function prepareTpcb(program: string, { url }: Database, scale: number): Promise<WithClients> {
  const call = callOn(program, url);
  // Its usual steps, but that the rows are made where they stay.
  await call(['-i', '-q', '-I', 'dtGvp', '-s', String(scale)]);
  return (clients, seconds) => measure(call, clients, seconds, []);
}

/** The rows of an investment, one investment per transaction. */
export async function prepareSingle(program: string, bank: Bank): Promise<WithClients> {
  const script = path.join(bank.dir, 'invest.pgbench');
  await writeFile(
    script,
    `\\set n random(${bank.apart.first}, ${bank.apart.last})
select bench.invest((select id from bench.investors where n = :n), '${bank.planId}', ${bank.amountCents});
`,
  );
  const call = callOn(program, bank.database.url);
  return (clients, seconds) => measure(call, clients, seconds, ['-f', script]);
}
