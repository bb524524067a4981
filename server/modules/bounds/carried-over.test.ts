import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseBefore } from '../../testing/versions/database-before.ts';

/** A database as it was when the last version before these had landed, with rows in every state, brought up to date. */

const ours = [
  '0007-installation.sql',
  '0008-staying-up.sql',
  '0009-devices.sql',
  '0010-bounds.sql',
  '0018-chain-bound.sql',
] as const;
const { db, migrate, drop } = await databaseBefore(ours[0]);
afterAll(drop);
const ids = {
  user: randomUUID(),
  bitcoin: randomUUID(),
  ethereum: randomUUID(),
  ripple: randomUUID(),
  out: randomUUID(),
  plan: randomUUID(),
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

/** What was under way, and what had ended without money moving. */
async function unpaid() {
  await db.query(
    `insert into funding_requests (id, user_id, method_id, transactionid, paymentname, paymentaddress, amount_cents,
       status, reason, requested_at, decided_at, decided_by)
     values (gen_random_uuid(), $1, $2, 'pending', 'x', 'x', 100, 'pending', null, now(), null, null),
       (gen_random_uuid(), $1, $2, 'rejected', 'x', 'x', 100, 'rejected', 'no payment', now(), now(), 'ada')`,
    [ids.user, ids.bitcoin],
  );
  await db.query(
    `insert into withdrawals (id, user_id, method_id, transactionid, methodname, network, address, amount_cents,
       requested_at, status, reason, first_approved_by, first_approved_at, approved_by, approved_at, ended_by, ended_at)
     select gen_random_uuid(), $1, $2, name, 'x', 'bitcoin', 'x', 100, now(), status, reason,
       first, case when first <> '' then now() end, approved, case when approved <> '' then now() end,
       ended, case when ended <> '' then now() end
     from (values ('asked', 'requested', null, null, null, null), ('first', 'requested', null, 'ada', null, null),
       ('alone', 'approved', null, null, 'ada', null), ('two', 'approved', null, 'ada', 'ben', null),
       ('no', 'rejected', 'odd', null, null, 'ada'), ('taken back', 'cancelled', null, null, null, 'x'))
       as w (name, status, reason, first, approved, ended)`,
    [ids.user, ids.out],
  );
}

/** A plan as one operator could publish it, a person who never proved an address, a session, a job of each kind. */
async function others() {
  await db.query(
    `insert into plans (id, line_id, version, planname, from_cents, to_cents, duration_days, roi_points, position, created_at)
     values ($1, gen_random_uuid(), 1, 'Beyond', 100, 900000000, 1, 100000, 0, now())`,
    [ids.plan],
  );
  await db.query(
    `insert into users (fullname, email, email_key, password_hash, verified_at, created_at)
     values ('proven', 'proven', 'proven', '-', now(), now())`,
  );
  await db.query(
    `insert into sessions (user_id, bearer_hash, cookie_hash, client_address, user_agent, created_at, seen_at, expires_at)
     values ($1, 'a', 'b', '192.0.2.1', 'curl', now(), now(), now() + interval '1 hour')`,
    [ids.user],
  );
  await db.query(
    `select queue_jobs(array['settle-due', 'check-books', 'forget-expired', 'send-mail'], array_fill('{}'::json, array[4]),
       array_fill(25, array[4]), null, array_fill(0, array[4]))`,
  );
}

beforeAll(async () => {
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
  await unpaid();
  await others();
  await migrate(ours);
});

it('the threshold that counted goes on to count, for what a chain shows as well', async () => {
  const { rows } = await db.query('select threshold_cents, chain_threshold_cents, agreed from bounds');
  expect(rows).toEqual([{ threshold_cents: '300000', chain_threshold_cents: '300000', agreed: true }]);
});

it('what was credited is found again under the one spelling of its payment', async () => {
  const { rows } = await db.query(
    "select network, chain_txid, chain_output from funding_requests where status = 'confirmed' order by decided_at",
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
  const { rows } = await db.query(
    "select chain_txid, shares_payment from withdrawals where status = 'paid' order by ended_at",
  );
  expect(rows).toEqual([
    { chain_txid: digits('f'), shares_payment: false },
    { chain_txid: digits('f'), shares_payment: true },
    { chain_txid: 'paid-1', shares_payment: false },
  ]);
  await expect(payout(digits('f'), 4)).rejects.toThrow('withdrawals_paid_once');
  await expect(db.query(`update withdrawals set chain_txid = 'x' where status = 'paid'`)).rejects.toThrow(
    'has ended',
  );
  await expect(
    db.query(`update funding_requests set chain_txid = 'x' where status = 'confirmed'`),
  ).rejects.toThrow('has ended');
});

it('what was under way goes on, by the rules of now', async () => {
  const update = (text: string) => db.query(`update ${text}`);
  const pending = "funding_requests set status = 'confirmed', decided_by = 'ada', decided_at = now()";
  await expect(update(`${pending}, received_cents = 900 where transactionid = 'pending'`)).rejects.toThrow(
    'funding_more_than_asked',
  );
  await update(`${pending}, received_cents = 100 where transactionid = 'pending'`);
  const approve = "withdrawals set status = 'approved', approved_at = now(), approved_by = 'ada'";
  await expect(update(`${approve} where transactionid = 'first'`)).rejects.toThrow('withdrawals_check');
  await update(`${approve} where transactionid = 'asked'`);
  const pay = "withdrawals set status = 'paid', ended_at = now(), ended_by = 'ada'";
  for (const name of ['alone', 'two'])
    await update(`${pay}, chain_txid = '${name}' where transactionid = '${name}'`);
  // A plan from before stays on the site; once off, it takes two.
  await update(`plans set position = 1, active = true where id = '${ids.plan}'`);
  await update(`plans set active = false where id = '${ids.plan}'`);
  await expect(update(`plans set active = true where id = '${ids.plan}'`)).rejects.toThrow(
    'beyond the bounds',
  );
});

it('who proved an address has signed in before, sessions last, and letters leave', async () => {
  const { rows: people } = await db.query(
    'select signed_in_before from users order by verified_at nulls last',
  );
  expect(people.map((row) => row.signed_in_before)).toEqual([true, false]);
  expect((await db.query('select device_id from sessions')).rows).toEqual([{ device_id: null }]);
  const { rows: jobs } = await db.query('select task_identifier from graphile_worker.jobs');
  expect(jobs).toEqual([{ task_identifier: 'send-mail' }]);
});
