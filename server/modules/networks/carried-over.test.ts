import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseBefore } from '../../testing/versions/database-before.ts';

/** A database from before the networks were read, with payments in every state, brought up to date. */

const { db, migrate, drop } = await databaseBefore('0015-networks.sql');
afterAll(drop);
const ids = { user: randomUUID(), bitcoin: randomUUID(), out: randomUUID() };
const digits = (letter: string) => letter.repeat(64);

async function deposit(transactionid: string, txid: string, output: number | null, first: string | null) {
  const isPending = transactionid === 'named';
  await db.query(
    `insert into funding_requests (id, user_id, method_id, transactionid, paymentname, paymentaddress, amount_cents,
       status, received_cents, network, chain_txid, chain_output, requested_at, decided_at, decided_by,
       first_confirmed_by, first_confirmed_at, second_because)
     values (gen_random_uuid(), $1, $2, $3, 'x', 'x', 100, $4, 100, 'bitcoin', $5, $6, now(), $7, $8, $9, $10, $11)`,
    [
      ids.user,
      ids.bitcoin,
      transactionid,
      isPending ? 'pending' : 'confirmed',
      txid,
      output,
      ...(isPending ? [null, null] : [new Date(), 'ada']),
      ...(first ? [first, new Date(), 'Above $1.00'] : [null, null, null]),
    ],
  );
}

async function payout(transactionid: string, txid: string, output: number | null) {
  await db.query(
    `insert into withdrawals (id, user_id, method_id, transactionid, methodname, network, address, amount_cents, status,
       chain_txid, chain_output, requested_at, ended_at, ended_by)
     values (gen_random_uuid(), $1, $2, $3, 'x', 'bitcoin', 'x', 100, 'paid', $4, $5, now(), now(), 'ada')`,
    [ids.user, ids.out, transactionid, txid, output],
  );
}

beforeAll(async () => {
  await db.query(
    `insert into users (id, fullname, email, email_key, password_hash, created_at) values ($1, 'x', 'x', 'x', '-', now())`,
    [ids.user],
  );
  await db.query(
    `insert into payment_methods (id, paymentname, paymentaddress, network, coin, sample, position, created_at)
     values ($1, 'Bitcoin', 'bc1x', 'Bitcoin', 'bitcoin', false, 0, now())`,
    [ids.bitcoin],
  );
  await db.query(
    `insert into withdrawal_methods (id, methodname, network, position, created_at) values ($1, 'x', 'bitcoin', 0, now())`,
    [ids.out],
  );
  await deposit('whole', digits('a'), null, null);
  await deposit('one', digits('b'), 0, null);
  await deposit('other', digits('b'), 1, null);
  await deposit('named', digits('c'), null, 'ada');
  await payout('paid', digits('d'), null);
  await migrate();
});

it('what was named, credited or paid out has its claim, and can be claimed no second time', async () => {
  const { rows } = await db.query(
    'select transactionid, use, output, final from payment_claims order by txid, output',
  );
  expect(rows).toEqual([
    { transactionid: 'whole', use: 'deposit', output: null, final: true },
    { transactionid: 'one', use: 'deposit', output: 0, final: true },
    { transactionid: 'other', use: 'deposit', output: 1, final: true },
    { transactionid: 'named', use: 'deposit', output: null, final: false },
    { transactionid: 'paid', use: 'payout', output: null, final: true },
  ]);
  const claim = (txid: string, output: number | null) =>
    db.query(
      `insert into payment_claims (network, txid, output, use, transactionid, final)
       values ('bitcoin', $1, $2, 'deposit', 'again', true)`,
      [txid, output],
    );
  const taken: [string, number | null][] = [
    [digits('a'), 3],
    [digits('b'), null],
    [digits('b'), 1],
    [digits('c'), 0],
    [digits('d'), 0],
  ];
  for (const [txid, output] of taken) await expect(claim(txid, output)).rejects.toThrow('claimed');
  await claim(digits('b'), 2);
  await expect(db.query(`delete from payment_claims where final`)).rejects.toThrow();
});

it('the ways in go on with their one address, and requests with what they were', async () => {
  const { rows: methods } = await db.query(
    'select source, key_id, confirmations, dust_cents from payment_methods',
  );
  expect(methods).toEqual([{ source: 'fixed', key_id: null, confirmations: null, dust_cents: '100' }]);
  const { rows } = await db.query('select distinct announced, tag, payment_id from funding_requests');
  expect(rows).toEqual([{ announced: true, tag: null, payment_id: null }]);
  await expect(db.query(`update payment_methods set paymentaddress = 'bc1other'`)).rejects.toThrow(
    'nobody agreed',
  );
  await expect(db.query(`update payment_methods set source = 'tagged'`)).rejects.toThrow('nobody agreed');
});
