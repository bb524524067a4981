import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { amountCents, type Bank } from './bank.ts';

const run = promisify(execFile);
const clients = 16;
const threads = 2;
/** A million rows, more than the clients can fight over. */
const scale = 10;

/** PostgreSQL's own load generator; null where it is not installed. */
export async function findPgbench(): Promise<string | null> {
  const bindir = await run('pg_config', ['--bindir']).then(
    ({ stdout }) => [stdout.trim()],
    () => [],
  );
  const folders = [...bindir, ...(process.env.PATH ?? '').split(path.delimiter)];
  return folders.map((folder) => path.join(folder, 'pgbench')).find((file) => existsSync(file)) ?? null;
}

export function createPgbench(program: string, { databaseUrl, planId, investors, dataDir }: Bank) {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const env = { ...process.env, PGPASSWORD: decodeURIComponent(password) };
  const where = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)];
  const call = (args: string[]) => run(program, [...args, ...where], { env });
  const load = (seconds: number) => [
    '-n',
    '-c',
    String(clients),
    '-j',
    String(threads),
    '-T',
    String(seconds),
  ];
  const script = path.join(dataDir, 'invest.pgbench');

  async function measure(args: string[]): Promise<number> {
    const { stdout } = await call(args);
    const found = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
    if (!found) throw new Error(`pgbench said: ${stdout}`);
    return Number(found);
  }

  return {
    async prepare(): Promise<void> {
      await call(['-i', '-q', '-s', String(scale)]);
      await writeFile(
        script,
        `\\set n random(1, ${investors.length})
select bench.invest((select id from bench.investors where n = :n), '${planId}', ${amountCents}, gen_random_uuid()::text);
`,
      );
    },

    /** The built-in transaction that is like TPC-B: three updates, a select, an insert. */
    tpcbPerSecond: (seconds: number) => measure(['-M', 'prepared', ...load(seconds)]),

    /** Our plain SQL, sent by pgbench. */
    plainSqlPerSecond: (seconds: number) => measure(['-M', 'prepared', '-f', script, ...load(seconds)]),
  };
}
