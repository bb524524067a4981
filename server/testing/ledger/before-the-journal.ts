import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { createConfig } from '../../config/config.ts';
import { readEnv } from '../../config/env.ts';
import { letters } from '../../demo/sample-letters.ts';
import { type AccountRef, Book, type Movement, movement } from '../../modules/ledger/rules.ts';
import { appLoginOf } from '../../platform/postgres/app-login.ts';
import { createSealer } from '../../platform/sealing.ts';
import { createTestClock, dayMs } from '../clock.ts';
import { testOwner } from '../database.ts';
import { goodAddress } from '../money.ts';

const migrationsDir = new URL('../../migrations/', import.meta.url);
const ours = '0013-journal.sql';
let old: pg.Client;

export const email = 'ada@example.com';
export const ids = { user: randomUUID(), plan: randomUUID(), method: randomUUID(), out: randomUUID() };
const now = createTestClock().now().getTime();
const ago = (days: number) => new Date(now - days * dayMs);
const wallet: AccountRef = { kind: 'wallet', ownerId: ids.user };
const invested: AccountRef = { kind: 'invested', ownerId: ids.user };
const withdrawing: AccountRef = { kind: 'withdrawing', ownerId: ids.user };
const clearing: AccountRef = { kind: 'clearing', ownerId: ids.method };
const house = (kind: 'payouts' | 'returns' | 'corrections'): AccountRef => ({ kind, ownerId: null });
const from = (one: AccountRef, other: AccountRef, amountCents: bigint, label: string) => [
  { account: one, amountCents: -amountCents, label },
  { account: other, amountCents, label },
];

/** One of each kind, in the order of time. */
const moved = {
  deposit: movement({ kind: 'deposit', at: ago(90), postings: from(clearing, wallet, 100_000n, 'Bitcoin') }),
  matured: movement({
    kind: 'investment',
    at: ago(80),
    postings: from(wallet, invested, 20_000n, 'Investment'),
  }),
  correction: movement({
    kind: 'correction',
    at: ago(60),
    reason: 'A fee was ours.',
    postings: from(house('corrections'), wallet, 500n, 'Correction'),
  }),
  open: movement({
    kind: 'investment',
    at: ago(10),
    postings: from(wallet, invested, 10_000n, 'Investment'),
  }),
  paid: movement({
    kind: 'withdrawal',
    at: ago(9),
    postings: from(wallet, withdrawing, 3_000n, 'Withdrawal'),
  }),
  asked: movement({
    kind: 'withdrawal',
    at: ago(8),
    postings: from(wallet, withdrawing, 4_000n, 'Withdrawal'),
  }),
};
const ended = [
  movement({
    kind: 'maturity',
    at: ago(50),
    reference: moved.matured.transactionid,
    postings: [
      ...from(invested, wallet, 20_000n, 'Investment Return'),
      ...from(house('returns'), wallet, 160n, 'Profit'),
    ],
  }),
  movement({
    kind: 'payout',
    at: ago(7),
    reference: moved.paid.transactionid,
    postings: from(withdrawing, house('payouts'), 3_000n, 'Withdrawal'),
  }),
];
export const movements = [...Object.values(moved), ...ended].toSorted(
  (a, b) => a.at.getTime() - b.at.getTime(),
);

const rowOf = ({ transactionid, at }: Movement) => ({
  id: randomUUID(),
  userId: ids.user,
  planId: ids.plan,
  transactionid,
  planname: 'Old',
  amountCents: 10_000n,
  profitCents: 80n,
  durationDays: 30,
  roiPoints: 80,
  openedAt: at,
  maturesAt: new Date(at.getTime() + 30 * dayMs),
  settledAt: null,
});
export const open = rowOf(moved.open);
export const withdrawal = { id: randomUUID(), transactionid: moved.asked.transactionid };

/** As JSON knows it. */
const stored = (value: object) =>
  JSON.stringify(value, function (key, plain) {
    const each = (this as Record<string, unknown>)[key];
    if (typeof each === 'bigint') return { $bigint: String(each) };
    return each instanceof Date ? { $date: each.toISOString() } : plain;
  });
const command = (key: string, body: unknown[], answer: object) =>
  old.query('insert into ledger_commands (scope, key, body_sha256, at, answer) values ($1, $2, $3, $4, $5)', [
    ids.user,
    key,
    createHash('sha256').update(JSON.stringify(body)).digest(),
    ago(10),
    stored(answer),
  ]);
export const refused = { code: 'insufficient_funds', message: 'Your wallet does not hold that much.' };

async function writeBook(): Promise<void> {
  const refs = [
    wallet,
    invested,
    withdrawing,
    clearing,
    house('payouts'),
    house('returns'),
    house('corrections'),
  ];
  const accounts = [];
  for (const ref of refs) {
    const { rows } = await old.query(
      `insert into ledger_accounts (kind, owner_id) values ($1, $2) returning id, encode(head, 'hex') as head`,
      [ref.kind, ref.ownerId],
    );
    accounts.push({ ...ref, ...rows[0], balanceCents: 0n, entryCount: 0n, lastEntryAt: null });
  }
  const book = new Book(accounts);
  for (const each of movements) if (book.post(each) !== 'posted') throw new Error('this past is not covered');
  const written = book.take();
  for (const m of written.movements) {
    await old.query(
      'insert into ledger_movements (id, transactionid, kind, at, reference, reason) values ($1, $2, $3, $4, $5, $6)',
      [m.id, m.transactionid, m.kind, m.at, m.reference, m.reason],
    );
    const entries = written.entries.filter(({ movementId }) => movementId === m.id);
    const column = (pick: (entry: (typeof entries)[number]) => unknown) => entries.map(pick);
    await old.query(
      `insert into ledger_entries select * from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::timestamptz[],
         $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bytea[])`,
      [
        column((e) => e.accountId),
        column((e) => e.seq),
        column((e) => e.movementId),
        column((e) => e.at),
        column((e) => e.label),
        column((e) => e.amountCents),
        column((e) => e.balanceBeforeCents),
        column((e) => e.balanceAfterCents),
        column((e) => Buffer.from(e.hash, 'hex')),
      ],
    );
  }
  for (const a of written.accounts)
    await old.query(
      'update ledger_accounts set balance_cents = $2, entry_count = $3, head = $4, last_entry_at = $5 where id = $1',
      [a.id, a.balanceCents, a.entryCount, Buffer.from(a.head, 'hex'), a.lastEntryAt],
    );
}

/** The investor and what there is to choose from. */
async function writeOffers(): Promise<void> {
  await old.query(
    `insert into users (id, fullname, email, email_key, password_hash, verified_at, created_at)
     values ($1, 'Ada', $2, $2, '-', $3, $3)`,
    [ids.user, email, ago(100)],
  );
  await old.query(
    `insert into plans (id, line_id, version, planname, from_cents, to_cents, duration_days, roi_points, position, created_at)
     values ($1, gen_random_uuid(), 1, 'Old', 100, 1000000, 30, 80, 0, $2)`,
    [ids.plan, ago(100)],
  );
  await old.query(
    `insert into payment_methods (id, paymentname, paymentaddress, network, coin, position, created_at)
     values ($1, 'Bitcoin', $2, 'Bitcoin', 'bitcoin', 0, $3)`,
    [ids.method, `${goodAddress.Bitcoin}x`, ago(100)],
  );
  await old.query(
    `insert into withdrawal_methods (id, methodname, network, position, created_at) values ($1, 'Bitcoin', 'bitcoin', 0, $2)`,
    [ids.out, ago(100)],
  );
}

async function writeModules(): Promise<void> {
  await old.query(
    `insert into funding_requests (id, user_id, method_id, transactionid, paymentname, paymentaddress, amount_cents, status,
       received_cents, network, chain_txid, requested_at, decided_at, decided_by)
     values (gen_random_uuid(), $1, $2, $3, 'Bitcoin', 'x', 100000, 'confirmed', 100000, 'bitcoin', 'x', $4, $4, 'ada')`,
    [ids.user, ids.method, moved.deposit.transactionid, ago(90)],
  );
  const settled = { ...rowOf(moved.matured), amountCents: 20_000n, profitCents: 160n };
  for (const [row, settledAt] of [
    [settled, ago(50)],
    [open, null],
  ] as const)
    await old.query(
      `insert into investments (id, user_id, plan_id, transactionid, planname, amount_cents, profit_cents, duration_days,
         roi_points, opened_at, matures_at, settled_at, settled_transactionid)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        row.id,
        row.userId,
        row.planId,
        row.transactionid,
        row.planname,
        row.amountCents,
        row.profitCents,
        row.durationDays,
        row.roiPoints,
        row.openedAt,
        row.maturesAt,
        settledAt,
        settledAt && ended[0]?.transactionid,
      ],
    );
  await old.query(
    `insert into withdrawals (id, user_id, method_id, transactionid, methodname, network, address, amount_cents, status,
       chain_txid, requested_at, ended_at, ended_by)
     values ($1, $3, $4, $5, 'Bitcoin', 'bitcoin', $7, 4000, 'requested', null, $8, null, null),
       ($2, $3, $4, $6, 'Bitcoin', 'bitcoin', $7, 3000, 'paid', 'x', $8, $8, 'ada')`,
    [
      withdrawal.id,
      randomUUID(),
      ids.user,
      ids.out,
      withdrawal.transactionid,
      moved.paid.transactionid,
      goodAddress.Bitcoin,
      ago(8),
    ],
  );
  await old.query(
    `insert into ledger_corrections (ask_key, user_id, amount_cents, reason, asked_by, asked_at, decided_by, decided_at,
       transactionid) values ('old', $1, 500, 'A fee was ours.', 'ada', $2, 'ben', $2, $3)`,
    [ids.user, ago(60), moved.correction.transactionid],
  );
}

async function writeCommands(sealed: string): Promise<void> {
  await command('old-invest', ['invest', ids.plan, '10000'], { row: open });
  await command('old-refused', ['invest', ids.plan, '900000'], { refused });
  await old.query(`select queue_jobs(array['send-mail'], array[$1::json], array[25], null, array[0])`, [
    JSON.stringify({ sealed }),
  ]);
}

/** A database as it was before letters were written from the journal, with money in every state. */
export async function makeOldDatabase(adminUrl: string) {
  const admin = new pg.Pool({ connectionString: adminUrl, max: 1 }).on('error', () => {});
  const name = `test_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${name} owner ${testOwner}`);
  const { rows } = await admin.query('select oid from pg_database where datname = $1', [name]);
  const url = new URL(adminUrl);
  Object.assign(url, { pathname: `/${name}`, username: testOwner, password: testOwner });
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-carried-'));
  const env = { DATABASE_URL: url.href, DATA_DIR: dataDir };
  const { secrets } = createConfig(readEnv(env));

  old = new pg.Client({ connectionString: url.href });
  await old.connect();
  await runMigrations({ connectionString: url.href });
  await old.query(
    'create table migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  );
  const all = (await readdir(migrationsDir)).filter((file) => file.endsWith('.sql')).sort();
  for (const file of all.slice(0, all.indexOf(ours))) {
    const text = await readFile(new URL(file, migrationsDir), 'utf8');
    await old.query(text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    await old.query('insert into migrations (name, sha256) values ($1, $2)', [file, sha256]);
  }
  await old.query(`select note_app_rights(); insert into installation (mode) values ('demo')`);
  await writeOffers();
  await writeModules();
  await writeBook();
  const mail = { to: { name: 'Ada', address: email }, letter: letters['investment-opened'] };
  await writeCommands(createSealer(secrets.mail).seal(JSON.stringify(mail)));
  return {
    env,
    client: old,
    async drop() {
      await old.end();
      await admin.query(`drop database ${name} with (force)`);
      await admin.query(`drop role if exists ${appLoginOf(rows[0].oid)}`);
      await admin.end();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
