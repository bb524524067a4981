import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

/** A database as it was before there were bounds, brought up to date. */

const migrationsDir = new URL('../../migrations/', import.meta.url);
const ours = '0010-bounds.sql';
const name = `test_${randomBytes(6).toString('hex')}`;
let admin: pg.Pool;
/** One connection, which is gone when it has ended: the database can be dropped then. */
let db: pg.Client;
const ids = {
  user: randomUUID(),
  bitcoin: randomUUID(),
  ethereum: randomUUID(),
  ripple: randomUUID(),
  out: randomUUID(),
};
const digits = (letter: string) => letter.repeat(64);

async function deposit(method: string, txid: string, minute: number, output: number | null = null) {
  await db.query(
    `insert into funding_requests (id, user_id, method_id, transactionid, paymentname, paymentaddress, amount_cents,
       status, received_cents, network, chain_txid, chain_output, requested_at, decided_at, decided_by)
     values (gen_random_uuid(), $1, $2, gen_random_uuid(), 'x', 'x', 100, 'confirmed', 900, 'as typed', $3, $4, now(),
       now() + $5 * interval '1 minute', 'ada')`,
    [ids.user, method, txid, output, minute],
  );
}

async function payout(txid: string, minute: number) {
  await db.query(
    `insert into withdrawals (id, user_id, method_id, transactionid, methodname, network, address, amount_cents, status,
       chain_txid, requested_at, ended_at)
     values (gen_random_uuid(), $1, $2, gen_random_uuid(), 'x', 'bitcoin', 'x', 100, 'paid', $3, now(),
       now() + $4 * interval '1 minute')`,
    [ids.user, ids.out, txid, minute],
  );
}

beforeAll(async () => {
  admin = new pg.Pool({ connectionString: inject('adminUrl'), max: 1 });
  await admin.query(`create database ${name}`);
  const url = new URL(inject('adminUrl'));
  url.pathname = `/${name}`;
  db = new pg.Client({ connectionString: url.href });
  await db.connect();
  await runMigrations({ connectionString: url.href });
  await db.query('create table migrations (name text primary key)');
  const all = (await readdir(migrationsDir)).filter((file) => file.endsWith('.sql')).sort();
  const apply = async (file: string) => db.query(await readFile(new URL(file, migrationsDir), 'utf8'));
  for (const file of all.slice(0, all.indexOf(ours))) await apply(file);
  await db.query(
    `insert into users (id, fullname, email, email_key, password_hash, created_at)
     values ($1, 'x', 'x', 'x', '-', now())`,
    [ids.user],
  );
  const coins = [
    ['bitcoin', 'bitcoin'],
    ['ethereum', 'ethereum'],
    ['ripple', 'ripple'],
  ] as const;
  for (const [key, coin] of coins) {
    await db.query(
      `insert into payment_methods (id, paymentname, paymentaddress, network, coin, position, created_at)
       values ($1, $2, 'x', 'x', $2, 0, now())`,
      [ids[key], coin],
    );
  }
  await db.query(
    `insert into withdrawal_methods (id, methodname, network, position, created_at) values ($1, 'x', 'bitcoin', 0, now())`,
    [ids.out],
  );
  // Lowered by one operator alone, as was possible then; and a higher one that waited.
  await db.query(
    `insert into withdrawal_thresholds (amount_cents, asked_by, asked_at, decided_by, decided_at, agreed, decided_number)
     values (300000, 'ada', now(), 'ada', now(), true, 7)`,
  );
  await db.query(
    `insert into withdrawal_thresholds (amount_cents, asked_by, asked_at) values (9, 'ada', now())`,
  );
  await deposit(ids.bitcoin, digits('a'), 1);
  await deposit(ids.bitcoin, `${'b'.repeat(32)}-${'b'.repeat(32)}`, 2);
  await deposit(ids.bitcoin, digits('c'), 3, 0);
  await deposit(ids.bitcoin, digits('c'), 4, 1);
  await deposit(ids.ethereum, digits('d'), 5);
  // The same payment again, in the spelling with which it was credited twice.
  await deposit(ids.ethereum, `0x${digits('d')}`, 6);
  await deposit(ids.ripple, digits('e'), 7);
  await deposit(ids.ripple, 'sample-7', 8);
  await payout(digits('f').toUpperCase(), 1);
  await payout(digits('f'), 2);
  await payout('paid-1', 3);
  await apply(ours);
});
afterAll(async () => {
  await db.end();
  await admin.query(`drop database ${name}`);
  await admin.end();
});

it('the threshold that counted goes on to count', async () => {
  const { rows } = await db.query('select threshold_cents, agreed from bounds');
  expect(rows).toEqual([{ threshold_cents: '300000', agreed: true }]);
});

it('what was credited is found again under the one spelling of its payment', async () => {
  const { rows } = await db.query(
    'select network, chain_txid, chain_output from funding_requests order by decided_at',
  );
  expect(rows.map((row) => [row.network, row.chain_txid, row.chain_output])).toEqual([
    ['bitcoin', digits('a'), null],
    ['bitcoin', digits('b'), null],
    ['bitcoin', digits('c'), 0],
    ['bitcoin', digits('c'), 1],
    ['ethereum', digits('d'), null],
    ['ethereum', `0x${digits('d')}`, null],
    ['xrp', digits('E'), null],
    ['xrp', 'sample-7', null],
  ]);
});

it('withdrawals that were paid with one id before stay as they are, and no further one is', async () => {
  const { rows } = await db.query('select chain_txid, shares_payment from withdrawals order by ended_at');
  expect(rows).toEqual([
    { chain_txid: digits('f'), shares_payment: false },
    { chain_txid: digits('f'), shares_payment: true },
    { chain_txid: 'paid-1', shares_payment: false },
  ]);
  await expect(payout(digits('f'), 4)).rejects.toThrow('withdrawals_paid_once');
  await expect(db.query(`update withdrawals set chain_txid = 'x'`)).rejects.toThrow('has ended');
  await expect(db.query(`update funding_requests set chain_txid = 'x'`)).rejects.toThrow('has ended');
});
