import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { familyMicros } from '../cpu.ts';
import type { Cluster, Database } from '../postgres/cluster.ts';
import { startEnv, startFlags } from '../server/start-flags.ts';

/** What it takes to prove to so many what they are owed. */
export interface Proven {
  investors: number;
  depth: number;
  seconds: number;
  /** Of the process, all its threads. */
  node_cpu_s: number;
  postgres_cpu_s: number;
  /** The most that the process ever had in memory. */
  memory_mb: number;
  /** The longest that a request would have waited for the process. */
  stall_ms: number;
  /** What the statement takes up in the database. */
  stored_mb: number;
}

/** Each has a wallet, something invested and something on its way out. The checks of single rows rest meanwhile. */
async function fillInvestors({ url }: Database, count: number): Promise<void> {
  const superuser = Object.assign(new URL(url), { username: 'postgres' }).href;
  const client = new pg.Client({ connectionString: superuser });
  await client.connect();
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into users (fullname, email, email_key, password_hash, verified_at, created_at)
     select 'Investor', 'investor-' || n || '@example.com', 'investor-' || n || '@example.com', '-', now(), now()
     from generate_series(1, $1::int) as n`,
    [count],
  );
  await client.query(
    `insert into ledger_accounts (kind, owner_id, balance_cents, entry_count, last_entry_at)
     select kind, id, (random() * 1000000)::bigint, 1, now() - interval '1 day'
     from users, unnest(array['wallet', 'invested', 'withdrawing']) as kind`,
  );
  await client.query(
    `insert into investments (id, user_id, plan_id, transactionid, planname, amount_cents, profit_cents, duration_days,
       roi_points, opened_at, matures_at)
     select gen_random_uuid(), owner_id, gen_random_uuid(), owner_id::text, 'Starter', balance_cents + 1,
       balance_cents / 100, 30, 80, now() - interval '7 days', now() + interval '23 days'
     from ledger_accounts where kind = 'invested'`,
  );
  await client.query('vacuum analyze users, ledger_accounts, investments');
  await client.end();
}

/** In a process of its own, as the server would in its. */
export async function measureProof(cluster: Cluster, investors: number): Promise<Proven> {
  const database = await cluster.createMigrated('proven');
  await fillInvestors(database, investors);
  const before = familyMicros(cluster.postmasterPid);
  const program = [...startFlags, fileURLToPath(new URL('process.ts', import.meta.url)), database.url];
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    env: { ...process.env, ...startEnv },
  });
  const postgres_cpu_s = (familyMicros(cluster.postmasterPid) - before) / 1e6;
  const { rows } = await database.owner.query<{ bytes: string }>(
    `select pg_total_relation_size('proof_tiles') + pg_total_relation_size('proof_shares') as bytes`,
  );
  return { ...JSON.parse(stdout), postgres_cpu_s, stored_mb: Number(rows[0]?.bytes) / 2 ** 20 };
}
