import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fundedInvestor } from '../../testing/ledger/investors.ts';
import { withOffers } from '../../testing/money.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
/** The role that the server acts as. */
let app: pg.Client;
/** The role that owns the tables. */
let owner: pg.Client;
let userId: string;
let planId: string;

async function connect(options?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: test.database.url, ...(options && { options }) });
  await client.connect();
  return client;
}

beforeAll(async () => {
  test = await startTestApp();
  // What happens by the clock takes locks, too, in another order than TRUNCATE does.
  await test.jobs.stop();
  planId = (await withOffers(test)).plans.Starter;
  userId = await fundedInvestor(test);
  [app, owner] = await Promise.all([connect('-c role=tallystick_app'), connect()]);
});
afterAll(async () => {
  await Promise.all([app.end(), owner.end()]);
  await test.close();
});

const roles: [string, () => pg.Client][] = [
  ["the server's role", () => app],
  ['the owner of the tables', () => owner],
];
const wallet = `(select id from ledger_accounts where kind = 'wallet' and owner_id = '`;
const walletId = () => `${wallet}${userId}')`;
const correctionsId = `(select id from ledger_accounts where kind = 'corrections')`;

describe.each(roles)('%s', (_role, client) => {
  it.each([
    'update ledger_entries set amount_cents = amount_cents',
    "update ledger_entries set label = 'Other' where false",
    'delete from ledger_entries',
    'truncate ledger_entries',
    "update ledger_movements set reason = 'other'",
    'delete from ledger_movements',
    'truncate ledger_movements cascade',
    'delete from ledger_accounts',
    'truncate ledger_accounts cascade',
    'update ledger_accounts set id = gen_random_uuid()',
    "update ledger_accounts set kind = 'invested' where kind = 'wallet'",
    'update ledger_accounts set owner_id = owner_id where false',
    'update ledger_commands set answer = answer',
    "update ledger_commands set key = 'other'",
    'delete from ledger_commands',
    'truncate ledger_commands',
    'delete from users where false',
    'delete from users',
    'truncate users cascade',
    'update users set id = gen_random_uuid()',
    'delete from plans',
    'truncate plans cascade',
    'update plans set id = gen_random_uuid()',
    'update plans set roi_points = 1',
    'update plans set exit_fee_points = 1',
    'update investment_exits set fee_cents = 0',
    'delete from investment_exits',
    'truncate investment_exits',
    'update audit_log set action = action',
    'delete from audit_log',
    'set session_replication_role = replica',
  ])('cannot %s', async (statement) => {
    await expect(client().query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('cannot take more from an account of an investor than it holds', async () => {
    const overdraw = `update ledger_accounts set balance_cents = -1 where id = ${walletId()}`;
    await expect(client().query(overdraw)).rejects.toMatchObject({ constraint: 'ledger_no_debt' });
  });

  it.each([
    ['with one side', [500]],
    ['whose sides differ', [500, -499]],
  ])('cannot write a movement %s', async (_case, amounts) => {
    await expect(writeMovement(client(), amounts)).rejects.toThrow('a movement does not balance');
  });

  it('cannot write an entry that moves nothing or does not add up', async () => {
    await expect(writeMovement(client(), [0, 0])).rejects.toMatchObject({ code: '23514' });
    await expect(writeMovement(client(), [5, -5], 1)).rejects.toMatchObject({ code: '23514' });
  });

  it('cannot write the same entry number twice', async () => {
    await expect(writeMovement(client(), [5, -5], 0, 1)).rejects.toMatchObject({ code: '23505' });
  });

  it('cannot write entries of an account or a movement that is not there', async () => {
    const [account, movement] = [`'${nobody}'::uuid`, `'${nobody}'`];
    await expect(writeMovement(client(), [5, -5], 0, 1000, { account })).rejects.toMatchObject({
      code: '23503',
    });
    await expect(writeMovement(client(), [5, -5], 0, 1000, { movement })).rejects.toMatchObject({
      code: '23514',
    });
  });

  it.each([
    ['a person', { user: nobody }],
    ['a plan', { plan: nobody }],
    ['a person and a plan', { user: nobody, plan: nobody }],
  ])('cannot write an investment of %s who is not there, not even among others', async (_case, who) => {
    await expect(writeInvestments(client(), [who])).rejects.toMatchObject({ code: '23503' });
    await expect(writeInvestments(client(), [{}, who, {}])).rejects.toMatchObject({ code: '23503' });
  });
});

const nobody = '00000000-0000-4000-8000-00000000000c';

/** As raw SQL, between the wallet and the corrections account, in a transaction that is rolled back in any case. */
async function writeMovement(
  client: pg.Client,
  amounts: number[],
  error = 0,
  seq = 1000,
  { account: second = correctionsId, movement = `'00000000-0000-4000-8000-00000000000b'` } = {},
): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`insert into ledger_accounts (kind) values ('corrections') on conflict do nothing`);
    await client.query(`insert into ledger_movements (id, transactionid, kind, at)
      values ('00000000-0000-4000-8000-00000000000b', 'TS-RAWS-QLQL', 'correction', now())`);
    const rows = amounts.map((cents, index) => {
      const account = index === 0 ? walletId() : second;
      return `(${account}, ${seq}, ${movement}, now(), 'Raw', ${cents}, 0, ${cents + error}, '\\x00')`;
    });
    await client.query(`insert into ledger_entries (account_id, seq, movement_id, at, label,
      amount_cents, balance_before_cents, balance_after_cents, hash) values ${rows.join(', ')}`);
  } finally {
    await client.query('rollback');
  }
}

/** In one statement, in a transaction that is rolled back in any case. */
async function writeInvestments(client: pg.Client, all: { user?: string; plan?: string }[]): Promise<void> {
  await client.query('begin');
  try {
    await client.query(
      `insert into investments (id, user_id, plan_id, transactionid, planname, amount_cents, profit_cents,
         duration_days, roi_points, opened_at, matures_at)
       select gen_random_uuid(), one.user_id, one.plan_id, gen_random_uuid(), 'Raw', 1, 0, 1, 0, now(), now()
       from unnest($1::uuid[], $2::uuid[]) as one (user_id, plan_id)`,
      [all.map(({ user = userId }) => user), all.map(({ plan = planId }) => plan)],
    );
  } finally {
    await client.query('rollback');
  }
}

it('what is right in raw SQL is taken, so that the refusals above are about what they say', async () => {
  for (const [, client] of roles) {
    await writeMovement(client(), [500, -500]);
    await writeInvestments(client(), [{}, {}]);
  }
});

it('the server cannot choose the number of a movement, nor set back what they are drawn from', async () => {
  const columns = 'id, transactionid, kind, at';
  const values = `gen_random_uuid(), gen_random_uuid(), 'deposit', now()`;
  for (const statement of [
    `insert into ledger_movements (${columns}, number) overriding system value values (${values}, 1000000)`,
    `insert into ledger_movements (${columns}, number) values (${values}, default)`,
    `select setval('ledger_movements_number_seq', 1)`,
    `update ledger_movements set number = default`,
    `insert into ledger_readers values ('mine', 0)`,
    `delete from ledger_readers`,
  ]) {
    await expect(app.query(statement), statement).rejects.toMatchObject({ code: '42501' });
  }
  const owners = `insert into ledger_movements (${columns}, number) overriding system value
    values (${values}, (select max(number) from ledger_movements))`;
  await expect(owner.query(owners)).rejects.toMatchObject({ code: '23505' });
});

it('the server may note that an investment is settled, and never whose it is or on which plan', async () => {
  for (const column of ['user_id', 'plan_id', 'amount_cents', 'profit_cents', 'matures_at'])
    await expect(app.query(`update investments set ${column} = ${column}`)).rejects.toMatchObject({
      code: '42501',
    });
  await app.query('update investments set settled_at = now() where false');
});

it('the server cannot give itself back what it may not do', async () => {
  for (const statement of [
    'alter table ledger_entries disable trigger all',
    'drop table ledger_entries',
    'alter table ledger_accounts drop constraint ledger_no_debt',
  ]) {
    await expect(app.query(statement), statement).rejects.toMatchObject({ code: '42501' });
  }
});

it('a withdrawal, funding request or investment that has ended never changes again, whoever asks', async () => {
  const again = `update funding_requests set status = 'rejected', reason = 'x', received_cents = null`;
  for (const [, client] of roles) await expect(client().query(again)).rejects.toThrow('has ended');
});
