import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createConfig } from '../server/config/config.ts';
import { readEnv } from '../server/config/env.ts';
import { type Context, createContext } from '../server/context.ts';
import { seedOffers } from '../server/demo/seed.ts';
import { openEmbeddedDatabase } from '../server/platform/embedded-postgres/embedded-database.ts';

interface Investor {
  userId: string;
  bearer: string;
}

/** The least that the first plan takes. */
export const amountCents = 10_000n;

/** The real server on a database of its own that keeps what it acknowledges, with investors who have money. */
export interface Bank {
  context: Context;
  databaseUrl: string;
  /** Removed at the end. */
  dataDir: string;
  planId: string;
  investors: Investor[];
  close(): Promise<void>;
}

const depositCents = 100_000_000n;
/** So much money takes two. */
const operators = [
  { kind: 'operator', id: 'first' },
  { kind: 'operator', id: 'second' },
] as const;

export async function openBank(investorCount: number): Promise<Bank> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-bench-'));
  const logger = pino({ level: 'silent' });
  const postgres = await openEmbeddedDatabase({ dataDir, logger });
  const removeAll = async () => {
    await postgres.stop();
    for (const dir of new Set([dataDir, postgres.dataDir])) await rm(dir, { recursive: true, force: true });
  };
  try {
    const base = createConfig(readEnv({ DATABASE_URL: postgres.url, DATA_DIR: dataDir }));
    // All requests come from one address here, and it is not the limit that is measured.
    const config = { ...base, webDir: await makeWebDir(dataDir), requestsPerMinute: 1_000_000_000 };
    // Refuses to start when the database would risk money.
    const context = await createContext(config, { logger });
    await seedOffers(context);
    const [plan] = await context.investment.plans();
    if (!plan) throw new Error('there is no plan to invest in');
    const investors = await makeInvestors(context, investorCount);
    const close = async () => {
      await context.close();
      await removeAll();
    };
    return { context, databaseUrl: postgres.url, dataDir, planId: plan.id, investors, close };
  } catch (error) {
    await removeAll();
    throw error;
  }
}

/** No page is asked for, so none has to be built. */
async function makeWebDir(dataDir: string): Promise<string> {
  const webDir = join(dataDir, 'web');
  await mkdir(webDir);
  await writeFile(join(webDir, '__spa-fallback.html'), '<html lang="en" data-mode="production"></html>');
  return webDir;
}

/** Written directly: hashing hundreds of passwords is not what is measured. */
async function makeInvestors(context: Context, count: number): Promise<Investor[]> {
  const bearers = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const hashes = bearers.map((bearer) => createHash('sha256').update(bearer).digest());
  const { rows } = await context.owner.query<{ id: string }>(
    `with person as (
       insert into users (fullname, email, email_key, password_hash, verified_at, created_at)
       select 'Investor ' || n, n || '@example.com', n || '@example.com', '-', now(), now()
       from generate_series(1, cardinality($1::bytea[])) n returning id)
     insert into sessions (user_id, bearer_hash, cookie_hash, client_address, user_agent,
       created_at, seen_at, expires_at)
     select id, ($1::bytea[])[n], sha256(($1::bytea[])[n]), '127.0.0.1', 'bench', now(), now(), now() + '1 day'
     from (select id, row_number() over () as n from person) p order by n returning user_id as id`,
    [hashes],
  );
  const investors = rows.map(({ id }, index) => ({ userId: id, bearer: bearers[index] ?? '' }));
  await Promise.all(investors.map((investor) => deposit(context, investor)));
  return investors;
}

async function deposit({ funding }: Context, { userId }: Investor): Promise<void> {
  const wish = { userId, paymentname: 'Bitcoin', amountCents: depositCents, idempotencyKey: null };
  const { id } = await funding.askForFunding(wish);
  const payment = { receivedCents: depositCents, chainTxid: randomBytes(32).toString('hex'), chainOutput: 0 };
  for (const actor of operators) {
    await funding.confirmFunding({ requestId: id, ...payment, actor, idempotencyKey: null });
  }
}

/** What was measured must have been real: the money is where the journal says, and none was made or lost. */
export async function assertBooksAddUp({ owner }: Context): Promise<void> {
  const { rows } = await owner.query(
    `select a.id from ledger_accounts a left join (
       select account_id, sum(amount_cents) as sum, count(*) as count from ledger_entries group by 1
     ) e on e.account_id = a.id
     where a.balance_cents <> coalesce(e.sum, 0) or a.entry_count <> coalesce(e.count, 0)`,
  );
  const { rows: total } = await owner.query('select sum(balance_cents) = 0 as zero from ledger_accounts');
  if (rows.length > 0 || total[0]?.zero !== true) throw new Error('the books do not add up after the bench');
}
