import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pruneRowsMax } from './platform/postgres/prune.ts';
import { dayMs, hourMs } from './testing/clock.ts';
import { deposit, withOffers } from './testing/money.ts';
import { newOperator } from './testing/operators.ts';
import { startTestApp, type TestApp } from './testing/start-app.ts';
import { forgetAll } from './work.ts';

const runbook = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8');
/** The rows of a table of docs/operations.md, cell by cell. */
function rowsUnder(heading: string): string[][] {
  const [, text = ''] = new RegExp(`^### ${heading}$(.*?)^##`, 'ms').exec(runbook) ?? [];
  const lines = text.split('\n').filter((line) => /^\| `/.test(line));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
const quotedIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, value = '']) => value);
const ended = rowsUnder('What has an end').map(([name = '', goes = '']) => ({
  table: quotedIn(name)[0] ?? '',
  keptMs: Number(/^(\d+) days? after/.exec(goes)?.[1] ?? 0) * dayMs,
}));
const kept = rowsUnder('What is kept').flatMap(([names]) => quotedIn(names));

let test: TestApp;
let userId: string;
let operatorId: string;
beforeAll(async () => {
  test = await startTestApp();
  // By the server's clock or by the database's: both say the same here.
  test.clock.advance(Date.now() - test.clock.now().getTime());
  userId = await unproven(new Date());
  await query('update users set verified_at = now() where id = $1', [userId]);
  operatorId = (await newOperator(test)).id;
});
afterAll(() => test.close());

const query = async (text: string, values: unknown[] = []) =>
  (await test.context.owner.query(text, values)).rows;
const bytes = () => Buffer.from(randomUUID().replaceAll('-', ''), 'hex');

/** Makes a row whose time to go is counted from a moment, and says where it is found again. */
const made: Record<string, (moment: Date) => Promise<{ column: string; value: unknown }>> = {
  async sessions(moment) {
    const value = bytes();
    await query(
      `insert into sessions (user_id, bearer_hash, cookie_hash, client_address, user_agent, created_at, seen_at, expires_at)
       values ($1, $2, $2, '192.0.2.1', 'x', $3, $3, $3)`,
      [userId, value, moment],
    );
    return { column: 'bearer_hash', value };
  },
  async operator_sessions(moment) {
    const value = bytes();
    await query(
      `insert into operator_sessions (operator_id, cookie_hash, client_address, user_agent, created_at, seen_at, expires_at)
       values ($1, $2, '192.0.2.1', 'x', $3, $3, $3)`,
      [operatorId, value, moment],
    );
    return { column: 'cookie_hash', value };
  },
  async codes(moment) {
    const value = bytes();
    await query(
      `insert into codes (user_id, purpose, code_hmac, link_hash, issued_at, code_expires_at, link_expires_at, closed_at)
       values ($1, 'verify', $2, $2, $3, $3, $3, $3)`,
      [userId, value, moment],
    );
    return { column: 'link_hash', value };
  },
  async reset_flows(moment) {
    const value = bytes();
    await query(
      'insert into reset_flows (user_id, secret_hash, created_at, expires_at) values ($1, $2, $3, $3)',
      [userId, value, moment],
    );
    return { column: 'secret_hash', value };
  },
  async devices(moment) {
    const value = bytes();
    await query(
      'insert into devices (user_id, secret_hash, first_seen_at, last_seen_at) values ($1, $2, $3, $3)',
      [userId, value, moment],
    );
    return { column: 'secret_hash', value };
  },
  async throttles(moment) {
    const value = randomUUID();
    await query(
      "insert into throttles (scope, subject, hits, window_ends_at, blocked_until) values ('x', $1, 1, now() - interval '1 day', $2)",
      [value, moment],
    );
    return { column: 'subject', value };
  },
  async users(moment) {
    return { column: 'id', value: await unproven(moment) };
  },
  async ledger_refusals(moment) {
    const value = randomUUID();
    await query("insert into ledger_refusals values ('x', $1, '', $2, '{}')", [value, moment]);
    return { column: 'key', value };
  },
  async ledger_checks(moment) {
    const [row] = await query(
      "insert into ledger_checks (at, accounts, entries, findings) values ($1, 0, 0, '[]') returning id",
      [moment],
    );
    await query("insert into ledger_checks (at, accounts, entries, findings) values (now(), 0, 0, '[]')");
    return { column: 'id', value: row.id };
  },
  async letters_sent(moment) {
    const value = randomUUID();
    await query('insert into letters_sent (message_id, sent_at) values ($1, $2)', [value, moment]);
    return { column: 'message_id', value };
  },
  async contact_messages(moment) {
    const value = randomUUID();
    await query(
      "insert into contact_messages (id, name, email, message, client_address, received_at) values ($1, 'x', 'x', 'x', 'x', $2)",
      [value, moment],
    );
    return { column: 'id', value };
  },
  async 'graphile_worker._private_jobs'(moment) {
    return { column: 'id', value: await job(moment, { attempts: 25 }) };
  },
};

async function unproven(moment: Date): Promise<string> {
  const [row] = await query(
    `insert into users (fullname, email, email_key, password_hash, created_at)
     values ('Ada', $1, $1, 'none', $2) returning id`,
    [`${randomUUID()}@example.com`, moment],
  );
  return row.id;
}

async function job(moment: Date, { attempts }: { attempts: number }): Promise<string> {
  await query("select queue_jobs(array['nobody-does-it'], array['{}'::json], array[25], null, array[0])");
  const [row] = await query(
    `update graphile_worker._private_jobs set attempts = $1, updated_at = $2
     where id = (select max(id) from graphile_worker._private_jobs) returning id`,
    [attempts, moment],
  );
  return row.id;
}

/** Gone when something else happens than a day's passing; each of them has tests where it happens. */
const elsewhere = ['backups', 'network_blocks', 'job_pools', 'payment_claims', 'withdrawal_freezes'];

const isThere = async (table: string, { column, value }: { column: string; value: unknown }) =>
  (await query(`select from ${table} where ${column} = $1`, [value])).length === 1;
const before = (ms: number) => new Date(Date.now() - ms);

describe('docs/operations.md, What is pruned:', () => {
  it('every table has an end or is kept, and nothing is said of one that is not there', async () => {
    const tables = await query(
      `select case nspname when 'public' then '' else nspname || '.' end || relname as name
       from pg_class join pg_namespace as schema on schema.oid = relnamespace
       where relkind = 'r' and nspname in ('public', 'graphile_worker') order by 1`,
    );
    const told = [...ended.map(({ table }) => table), ...kept];
    expect(told.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  });

  it.each(ended.filter(({ table }) => !elsewhere.includes(table)))(
    '$table: an old one goes, a young one stays, by two servers at once, and once more',
    async ({ table, keptMs }) => {
      const make = made[table] ?? expect.fail(`${table} has no case here`);
      const [old, young] = [await make(before(keptMs + hourMs)), await make(before(keptMs - hourMs))];
      await Promise.all([forgetAll(test.context), forgetAll(test.context)]);
      await forgetAll(test.context);
      expect([await isThere(table, old), await isThere(table, young)]).toEqual([false, true]);
    },
  );

  it('storage parameters are those of the table under Autovacuum', async () => {
    const rows = await query(
      `select case nspname when 'public' then '' else nspname || '.' end || main.relname as name,
         coalesce(main.reloptions, '{}') || array(select 'toast.' || unnest(toast.reloptions)) as options
       from pg_class as main join pg_namespace as schema on schema.oid = main.relnamespace
         left join pg_class as toast on toast.oid = main.reltoastrelid
       where main.relkind = 'r' and nspname in ('public', 'graphile_worker')`,
    );
    const real = rows.filter(({ options }) => options.length > 0);
    const told = rowsUnder('Autovacuum').map(([name, options]) => [quotedIn(name)[0], quotedIn(options)]);
    expect(Object.fromEntries(told)).toEqual(
      Object.fromEntries(real.map(({ name, options }) => [name, options])),
    );
  });
});

describe('is kept, however old it is:', () => {
  const old = before(1000 * dayMs);

  it('whoever proved the address, has money, or on whose account anything hangs', async () => {
    await withOffers(test);
    const people = await Promise.all(Array.from({ length: 6 }, () => unproven(old)));
    const [proven, paid, coded, invited, taggedOf, gone] = people;
    await query('update users set verified_at = now() where id = $1', [proven]);
    await deposit(test, paid ?? '', 50);
    await query(
      `insert into codes (user_id, purpose, code_hmac, link_hash, issued_at, code_expires_at, link_expires_at)
       values ($1, 'verify', $2, $2, now(), now(), now())`,
      [coded, bytes()],
    );
    await query('update users set signed_in_before = true where id = $1', [invited]);
    await query(
      `insert into network_addresses (family, match, address, tag, purpose, owner_id, made_at)
       values ('xrp', 'r', 'r', 1, 'deposit', $1, now())`,
      [taggedOf],
    );
    await forgetAll(test.context);
    const left = await query('select id from users where id = any($1)', [people]);
    expect(left.map(({ id }) => id).toSorted()).toEqual(people.filter((id) => id !== gone).toSorted());
  });

  it('a check that found something, the newest check, and a job that may still be tried', async () => {
    const [found] = await query(
      `insert into ledger_checks (at, accounts, entries, findings) values ($1, 0, 0, '["one"]') returning id`,
      [old],
    );
    const [newest] = await query(
      "insert into ledger_checks (at, accounts, entries, findings) values ($1, 0, 0, '[]') returning id",
      [old],
    );
    const waiting = await job(old, { attempts: 24 });
    await forgetAll(test.context);
    expect(await isThere('ledger_checks', { column: 'id', value: found.id })).toBe(true);
    expect(await isThere('ledger_checks', { column: 'id', value: newest.id })).toBe(true);
    expect(await isThere('graphile_worker._private_jobs', { column: 'id', value: waiting })).toBe(true);
  });
});

it('whoever proves the address at this very moment stays', async () => {
  const late = await unproven(before(1000 * dayMs));
  const client = await test.context.owner.connect();
  await client.query('begin');
  await client.query('update users set verified_at = now() where id = $1', [late]);
  await forgetAll(test.context);
  await client.query('commit');
  client.release();
  await forgetAll(test.context);
  expect(await isThere('users', { column: 'id', value: late })).toBe(true);
});

it('more than fit into one transaction go, too', async () => {
  await query(
    `insert into letters_sent (message_id, sent_at)
     select 'many ' || n, now() - interval '31 days' from generate_series(1, $1) as n`,
    [2 * pruneRowsMax + 1],
  );
  await forgetAll(test.context);
  expect(await query("select from letters_sent where message_id like 'many %'")).toEqual([]);
});

it('one that fails keeps none of the others from going', async () => {
  const { users, mail } = test.context;
  const value = randomUUID();
  await query("insert into letters_sent (message_id, sent_at) values ($1, now() - interval '31 days')", [
    value,
  ]);
  const failing = { ...users, forgetExpired: () => Promise.reject(new Error('not today')) };
  await expect(forgetAll({ ...test.context, users: failing, mail })).rejects.toThrow('not today');
  expect(await isThere('letters_sent', { column: 'message_id', value })).toBe(false);
});

it('the server may forget what is over, and nothing else', async () => {
  const young = await unproven(new Date());
  await query(
    "insert into contact_messages (name, email, message, client_address, received_at) values ('x', 'x', 'x', 'x', now())",
  );
  await query("insert into ledger_checks (at, accounts, entries, findings) values (now(), 0, 0, '[]')");
  const refused = async (statement: string) =>
    sql
      .raw(statement)
      .execute(test.context.db)
      .then(
        () => 'done',
        (error) => error.code,
      );
  const statements = [
    `delete from users where id = '${young}'`,
    `delete from users where id = '${userId}'`,
    'delete from contact_messages',
    'delete from ledger_checks',
    'truncate ledger_checks',
    'delete from audit_log',
  ];
  expect(await Promise.all(statements.map(refused))).toEqual(statements.map(() => '42501'));
  // Not even one whose trace of having proven it was wiped away.
  await query("update users set verified_at = null, created_at = '2000-01-01' where id = $1", [userId]);
  await query('update users set signed_in_before = false where id = $1', [userId]);
  await query("insert into ledger_accounts (kind, owner_id) values ('wallet', $1) on conflict do nothing", [
    userId,
  ]);
  await forgetAll(test.context);
  expect(await isThere('users', { column: 'id', value: userId })).toBe(true);
});
