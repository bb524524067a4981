import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseBefore } from '../../testing/versions/database-before.ts';

/** A database from before the log, with plans, methods, keys, corrections and freezes, brought up to date. */

const { db, migrate, drop } = await databaseBefore('0019-log.sql');
afterAll(drop);
const ids = { user: randomUUID(), line: randomUUID(), fixed: randomUUID(), out: randomUUID() };

async function before(): Promise<void> {
  await db.query(
    `insert into users (id, fullname, email, email_key, password_hash, created_at) values ($1, 'x', 'x', 'x', '-', now())`,
    [ids.user],
  );
  await db.query(
    `insert into plans (line_id, version, planname, from_cents, to_cents, duration_days, roi_points, position, active, created_at)
     values ($1, 1, 'Cafe' || chr(769), 100, 900, 30, 80, 0, false, '2026-01-01'),
       ($1, 2, e'Two\\nlines', 100, 900, 30, 90, 0, true, '2026-02-01')`,
    [ids.line],
  );
  await db.query(
    `insert into payment_methods (id, paymentname, paymentaddress, network, coin, sample, position, active, created_at)
     values ($1, 'Bitcoin', 'bc1x', 'Bitcoin', 'bitcoin', false, 0, false, '2026-01-01')`,
    [ids.fixed],
  );
  await db.query(
    `insert into payment_methods (paymentname, paymentaddress, network, coin, sample, agreed, active, position, created_at)
     values ('Nobody agreed', '0x', 'Ethereum', 'ethereum', false, false, false, 1, '2026-01-01')`,
  );
  await db.query('set session_replication_role = replica');
  await db.query(
    `with k as (insert into network_keys (family, key, path, made_at) values ('evm', 'xpub', 'm/44''/60''/0''', now())
       returning id)
     insert into payment_methods (paymentname, paymentaddress, network, coin, sample, source, key_id, position, created_at)
     select 'BnB', '', 'BNB Smart Chain', 'binancecoin', false, 'derived', id, 2, '2026-02-01' from k`,
  );
  await db.query('set session_replication_role = origin');
  await db.query(
    `insert into withdrawal_methods (id, methodname, network, position, created_at) values ($1, 'Out', 'xrp', 0, now())`,
    [ids.out],
  );
  await db.query(
    `insert into ledger_corrections (ask_key, user_id, amount_cents, reason, asked_by, asked_at, decided_by, decided_at, transactionid)
     values ('a', $1, -5, 'x', 'ada', now(), 'ben', now(), 'TS-1'), ('b', $1, 7, 'x', 'ada', now(), 'ben', now(), null)`,
    [ids.user],
  );
  await db.query(`update ledger_freeze set frozen_at = now(), reason = 'x'`);
  await db.query(
    `insert into withdrawal_freezes (user_id, reason, frozen_by, frozen_at) values ($1, 'x', 'ada', now())`,
    [ids.user],
  );
}

beforeAll(async () => {
  await before();
  await migrate();
});

it('the log begins with what there is, in the words of the entries that follow', async () => {
  const { rows } = await db.query('select kind, entry, place from log_entries order by id');
  expect(rows.every(({ kind, entry, place }) => entry.startsWith(`${kind}\ntime `) && place === null)).toBe(
    true,
  );
  const entries = rows.map(({ entry }) =>
    entry
      .replace(/time .*Z\n/, '')
      .replace(/\n$/, '')
      .split('\n'),
  );
  const plan = (version: number, planname: string, points: number, state: string) => [
    'plan/v1',
    `plan ${ids.line}`,
    `version ${version}`,
    `name ${planname}`,
    'from 100',
    'to 900',
    'days 30',
    `points ${points}`,
    `state ${state}`,
  ];
  const bnb = entries[3]?.[1];
  expect(bnb).toMatch(/^method [0-9a-f-]{36}$/);
  expect(entries).toEqual([
    plan(1, 'Café'.normalize('NFC'), 80, 'off'),
    plan(2, 'Two lines', 90, 'on'),
    [
      'method/v1',
      `method ${ids.fixed}`,
      'side in',
      'name Bitcoin',
      'network bitcoin',
      'source fixed',
      'address bc1x',
      'state off',
    ],
    ['method/v1', bnb, 'side in', 'name BnB', 'network bnb', 'source derived', 'address -', 'state on'],
    [
      'key/v1',
      bnb,
      'network bnb',
      'sha256 7296cfd7d812726a25b9d7c582b93738389fa66328cdd47cc67dbf98f1ff68a1',
      "path m/44'/60'/0'",
      'state on',
    ],
    ['method/v1', `method ${ids.out}`, 'side out', 'name Out', 'network xrp', 'state on'],
    ['correction/v1', 'transactionid TS-1', 'amount -5'],
    ['freeze/v1', 'scope books', 'state on'],
    ['freeze/v1', 'scope investor', 'state on'],
  ]);
});

it('what was told stays: no entry, tile or checkpoint is changed or taken away, and the log does not shrink', async () => {
  await db.query(`update log_entries set place = id - 1`);
  await db.query('update log_size set size = 9');
  await db.query(`insert into log_tiles values (0, 0, sha256('a') || sha256('b'))`);
  await db.query(`insert into log_checkpoints values (9, sha256('a'), now(), 'x')`);
  await db.query(`insert into log_cosignatures values (9, 'w', 'x', now())`);
  const refused = [
    `update log_entries set entry = entry`,
    `update log_entries set place = 99 where place = 1`,
    `delete from log_entries`,
    `truncate log_tiles`,
    `update log_tiles set hashes = sha256('a')`,
    `update log_tiles set hashes = sha256('b') || sha256('a')`,
    `update log_size set size = 8`,
    `update log_checkpoints set note = 'y'`,
    `delete from log_checkpoints`,
    `delete from log_cosignatures`,
  ];
  for (const sql of refused) await expect(db.query(sql), sql).rejects.toThrow();
  await db.query(`update log_tiles set hashes = hashes || sha256('c')`);
});
