import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Done } from '../server/loop.ts';

const run = promisify(execFile);
const threads = 2;

/** PostgreSQL's own load generator; null where it is not installed. */
export async function findPgbench(): Promise<string | null> {
  const bindir = await run('pg_config', ['--bindir']).then(
    ({ stdout }) => [stdout.trim()],
    () => [],
  );
  const folders = [...bindir, ...(process.env.PATH ?? '').split(path.delimiter)];
  return folders.map((folder) => path.join(folder, 'pgbench')).find((file) => existsSync(file)) ?? null;
}

interface Pgbench {
  /** Makes the tables of the built-in transaction; as many branches as the scale says. */
  prepare(scale: number): Promise<void>;
  /** The built-in transaction that is like TPC-B: three updates, a select, an insert. */
  tpcb(clients: number, seconds: number): Promise<Done>;
  /** The rows of an investment, one investment per transaction. */
  sameRows(clients: number, seconds: number): Promise<Done>;
}

interface SameRows {
  dir: string;
  investorCount: number;
  planId: string;
  amountCents: number;
}

export async function createPgbench(program: string, databaseUrl: string, rows: SameRows): Promise<Pgbench> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const env = { ...process.env, PGPASSWORD: decodeURIComponent(password) };
  const where = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)];
  const call = async (args: string[]) => (await run(program, [...args, ...where], { env })).stdout;
  const script = path.join(rows.dir, 'invest.pgbench');
  await writeFile(
    script,
    `\\set n random(1, ${rows.investorCount})
select bench.invest((select id from bench.investors where n = :n), '${rows.planId}', ${rows.amountCents},
  gen_random_uuid()::text);
`,
  );

  async function measure(clients: number, seconds: number, args: string[]): Promise<Done> {
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

  return {
    prepare: async (scale) => void (await call(['-i', '-q', '-s', String(scale)])),
    tpcb: (clients, seconds) => measure(clients, seconds, []),
    sameRows: (clients, seconds) => measure(clients, seconds, ['-f', script]),
  };
}
