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

async function insert(
  table: string,
  row: Record<string, unknown>,
  returning = 'true as done',
): Promise<string> {
  const names = Object.keys(row);
  const places = names.map((_, at) => `$${at + 1}`);
  const statement = `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) returning ${returning}`;
  const [made] = await query(statement, Object.values(row));
  return made[returning];
}

/** One that is found by a name of its own. */
async function named(table: string, column: string, row: Record<string, unknown>) {
  const value = randomUUID();
  await insert(table, { ...row, [column]: value });
  return { column, value };
}

/** All of a session but whose it is. */
const unknown = { client_address: '', user_agent: '' };
const seenAt = (at: Date) => ({ ...unknown, created_at: at, seen_at: at, expires_at: at });
const off = { asked_by: '', ended_by: '', ended_how: 'stopped' };
const offAt = (at: Date) => ({ ...off, asked_at: at, ended_at: at });

/** Makes a row whose time to go is counted from a moment, and says by which column it is found again. */
const made: Record<string, (moment: Date) => Promise<{ column: string; value: unknown }>> = {
  async sessions(moment) {
    const value = bytes();
    await insert('sessions', { user_id: userId, bearer_hash: value, cookie_hash: value, ...seenAt(moment) });
    return { column: 'bearer_hash', value };
  },
  async operator_sessions(moment) {
    const value = bytes();
    await insert('operator_sessions', { operator_id: operatorId, cookie_hash: value, ...seenAt(moment) });
    return { column: 'cookie_hash', value };
  },
  async codes(moment) {
    return { column: 'link_hash', value: await code(userId, moment, moment) };
  },
  async reset_flows(at) {
    const value = bytes();
    await insert('reset_flows', { user_id: userId, secret_hash: value, created_at: at, expires_at: at });
    return { column: 'secret_hash', value };
  },
  factor_flows: (moment) =>
    named('factor_flows', 'challenge', { purpose: 'sign-in', created_at: moment, expires_at: moment }),
  factor_removals: (at) => named('factor_removals', 'reason', { user_id: userId, ...offAt(at) }),
  authenticators: async (moment) =>
    named('authenticators', 'sealed', { user_id: await unproven(new Date()), created_at: moment }),
  async devices(at) {
    const value = bytes();
    await insert('devices', { user_id: userId, secret_hash: value, first_seen_at: at, last_seen_at: at });
    return { column: 'secret_hash', value };
  },
  throttles: (moment) =>
    named('throttles', 'subject', {
      scope: 'x',
      hits: 1,
      window_ends_at: before(dayMs),
      blocked_until: moment,
    }),
  request_counts: (moment) =>
    named('request_counts', 'address', { server: randomUUID(), hits: 1, ends_at: moment }),
  log_stops: (moment) => named('log_stops', 'server', { reason: 'why', told_at: moment }),
  users: async (moment) => ({ column: 'id', value: await unproven(moment) }),
  ledger_refusals: (moment) =>
    named('ledger_refusals', 'key', { scope: 'x', body_sha256: '', at: moment, refused: '{}' }),
  async ledger_checks(moment) {
    const value = await check(moment);
    await check(new Date());
    return { column: 'id', value };
  },
  notices: (at) => named('notices', 'title', { user_id: userId, id: randomUUID(), kind: '', line: '', at }),
  letters_sent: (moment) => named('letters_sent', 'message_id', { sent_at: moment }),
  contact_messages: async (moment) => ({ column: 'id', value: await message(moment) }),
  async 'graphile_worker._private_jobs'(moment) {
    return { column: 'id', value: await job(moment, { attempts: 25 }) };
  },
};

async function code(of: string, issued: Date, closed: Date | null): Promise<Buffer> {
  const value = bytes();
  const times = { issued_at: issued, code_expires_at: issued, link_expires_at: issued, closed_at: closed };
  await insert('codes', { user_id: of, purpose: 'verify', code_hmac: value, link_hash: value, ...times });
  return value;
}
const check = (at: Date, findings = '[]') =>
  insert('ledger_checks', { at, accounts: 0, entries: 0, findings }, 'id');
const message = (received_at: Date) =>
  insert('contact_messages', { name: '', email: '', message: '', client_address: '', received_at }, 'id');

function unproven(created_at: Date): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  return insert('users', { fullname: 'Ada', email, email_key: email, password_hash: '', created_at }, 'id');
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

/** Gone when something else happens than time's passing; each of them has tests where it happens. */
const addresses = ['saved_addresses', 'address_protections'];
const byOwners = ['letters_off', 'passkeys', 'user_recovery_codes', 'withdrawal_freezes', ...addresses];
const elsewhere = ['backups', 'network_blocks', 'job_pools', 'payment_claims', ...byOwners];

const refusalCode = (error: { code: string }) => error.code;

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
    await code(coded ?? '', new Date(), null);
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
    const found = await check(old, '["one"]');
    const newest = await check(old);
    const waiting = await job(old, { attempts: 24 });
    await forgetAll(test.context);
    expect(await isThere('ledger_checks', { column: 'id', value: found })).toBe(true);
    expect(await isThere('ledger_checks', { column: 'id', value: newest })).toBe(true);
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

it('those that fail keep none of the others from going, and all of them are told', async () => {
  const value = randomUUID();
  const old = "insert into letters_sent (message_id, sent_at) values ($1, now() - interval '31 days')";
  await query(old, [value]);
  const failing = { ...test.context.users, forgetExpired: () => Promise.reject(new Error('not today')) };
  await expect(forgetAll({ ...test.context, users: failing })).rejects.toThrow(/^not today$/);
  expect(await isThere('letters_sent', { column: 'message_id', value })).toBe(false);
  const other = { ...test.context.contact, forgetMessages: () => Promise.reject(new Error('nor here')) };
  const both = forgetAll({ ...test.context, users: failing, contact: other });
  await expect(both).rejects.toThrow('not today; nor here');
});

it('the server may forget what is over, and nothing else', async () => {
  const young = await unproven(new Date());
  await message(new Date());
  await check(new Date());
  const execute = (statement: string) => sql.raw(statement).execute(test.context.db);
  const refused = (statement: string) => execute(statement).then(() => 'done', refusalCode);
  const statements = [
    `delete from users where id = '${young}'`,
    `delete from users where id = '${userId}'`,
    'delete from contact_messages',
    'delete from ledger_checks',
    'truncate ledger_checks',
    'delete from audit_log',
    // Nor can anybody be made to look unproven.
    'update users set verified_at = null',
    'update users set signed_in_before = false',
    "update users set created_at = '2000-01-01'",
  ];
  await query('update users set signed_in_before = true where id = $1', [userId]);
  for (const statement of statements)
    expect([statement, await refused(statement)]).toEqual([statement, '42501']);
  // Whoever has an account in the books stays without a proof, too, and the owner has no way in through this door.
  const paid = await unproven(before(1000 * dayMs));
  await query("insert into ledger_accounts (kind, owner_id) values ('wallet', $1)", [paid]);
  await expect(query('select forget_unproven_users(10)')).rejects.toThrow('append-only');
  await forgetAll(test.context);
  expect(await isThere('users', { column: 'id', value: paid })).toBe(true);
});
