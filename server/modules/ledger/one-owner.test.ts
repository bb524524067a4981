import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { close } from '@tallystick/contract/account';
import { amountCentsMax } from '@tallystick/contract/money';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../../testing/call.ts';
import { dayMs } from '../../testing/clock.ts';
import { steppedUp } from '../../testing/factors/people.ts';
import { newInvestors } from '../../testing/ledger/investors.ts';
import type { Command, Wish } from '../../testing/ledger/model.ts';
import { modelPlans } from '../../testing/ledger/model-plans.ts';
import { createPlayer } from '../../testing/ledger/player.ts';
import { watchStatements } from '../../testing/ledger/sent.ts';
import { correcting, type Offers, setBounds, withOffers } from '../../testing/money.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The kinds of movements that docs/money.md tells of: all there are. */
const told = [
  ...new Set([...read('docs/money.md').matchAll(/^```movement (\S+)/gm)].map(([, kind]) => kind)),
];

let test: TestApp;
let offers: Offers;
let admin: pg.Client;
let leaver: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  leaver = await signedIn(test);
  await test.jobs.stop();
  offers = await withOffers(test);
  // What two have to agree to is the console's tests' matter.
  await setBounds(test.context, { thresholdCents: amountCentsMax });
  admin = new pg.Client({ connectionString: test.database.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await test.close();
});

it('every movement that is made in the code is of a kind that docs/money.md tells of', () => {
  const files = globSync('server/**/*.ts', { cwd: root }).filter(
    (file) => !/\.test\.ts$|^server\/testing\//.test(file),
  );
  const made = files.flatMap((file) => {
    const [, ...calls] = read(file).split(/(?<!function )\bmovement\(\{/);
    return calls.map((call) => /^\s*(?:\.\.\.common,\s*)?kind: '([\w-]+)'/.exec(call)?.[1] ?? file);
  });
  expect([...new Set(made)].sort()).toEqual(told.toSorted());
});

/** What somebody goes through in whose course every kind of movement is made. */
function lifeOf(who: number, name: number | string = who): Wish[] {
  const key = (n: number) => `${name}-${n}`;
  return [
    { do: 'deposit', who, cents: 900_000 },
    { do: 'invest', who, plan: 0, cents: 15_031 },
    { do: 'withdraw', who, cents: 30_000 },
    { do: 'approve', target: key(2) },
    { do: 'pay', target: key(2) },
    { do: 'withdraw', who, cents: 5_000 },
    { do: 'cancel', who, target: key(5) },
    { do: 'withdraw', who, cents: 5_000 },
    { do: 'reject', target: key(7) },
    { do: 'correct', who, cents: -89 },
    { do: 'correct', who, cents: 89 },
    { do: 'invest', who, plan: 1, cents: 200_000 },
    { do: 'exit', who, target: key(11), cents: 199_475 },
  ];
}

/** Closes an account that holds too little to be withdrawn. */
async function leaveSome(): Promise<void> {
  await steppedUp(test, leaver);
  await correcting(test.context)({ userId: leaver.userid, amountCents: 37n, reason: 'For a test.' });
  await call(test, close, { as: leaver, body: { email: leaver.email, leave: 0.37 } });
}

function playerFor(people: string[]) {
  const { funding, investment, withdrawal, ledger } = test.context;
  return createPlayer({
    funding,
    investment,
    withdrawal,
    people,
    correct: correcting({ ledger }),
    settle: async () => void (await investment.settleDue()),
    plans: modelPlans.map(({ planname }) => offers.plans[planname]),
    withdrawalMethod: offers.withdrawalMethods.Bitcoin,
  });
}

const ofTwo = `
  select movement_id from ledger_entries join ledger_accounts a on a.id = account_id
  where a.kind in ('wallet', 'invested', 'withdrawing')
  group by movement_id having count(distinct owner_id) > 1`;

it('what many do at once is many movements of one investor each, whatever shares a transaction', async () => {
  await leaveSome();
  const people = await newInvestors(test, 6);
  const play = playerFor(people);
  const lives = people.map((_, who) => lifeOf(who));
  for (const [n, wish] of lifeOf(0).entries()) {
    if (wish.do === 'exit') test.clock.advance(15 * dayMs);
    const commands = lives.map((life, who): Command => ({ key: `${who}-${n}`, wish: life[n] as Wish }));
    const outcomes = await Promise.all(commands.map(play));
    expect([n, ...new Set(outcomes.map(({ outcome }) => outcome))]).toEqual([n, 'done']);
  }
  test.clock.advance(30 * dayMs);
  await play({ key: 'settle', wish: { do: 'settle' } });

  const { rows: kinds } = await admin.query('select distinct kind from ledger_movements order by kind');
  expect(kinds.map(({ kind }) => kind)).toEqual(told.toSorted());
  const { rows: shared } = await admin.query(`
    select xmin, count(distinct owner_id)::int as owners from (
      select m.xmin::text, owner_id from ledger_movements m join ledger_entries on movement_id = m.id
      join ledger_accounts a on a.id = account_id where a.kind = 'wallet') as written
    group by xmin order by owners desc limit 1`);
  expect(shared[0].owners, 'several investors have shared a transaction').toBeGreaterThan(1);
  expect((await admin.query(ofTwo)).rows).toEqual([]);
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});

it('a movement of two investors would be found, had somebody written it past the code', async () => {
  const [one, other] = await newInvestors(test, 2);
  await admin.query('begin');
  await admin.query(
    `with movement as (
       insert into ledger_movements (id, transactionid, kind, at)
       values (gen_random_uuid(), 'TS-AAAA-AAAA', 'gift', now()) returning id),
     account as (
       insert into ledger_accounts (kind, owner_id, balance_cents)
       select 'wallet', unnest($1::uuid[]), 5 returning id, owner_id)
     insert into ledger_entries (account_id, seq, movement_id, at, label, amount_cents, balance_before_cents,
       balance_after_cents, hash)
     select account.id, 1, movement.id, now(), 'Gift', sign, 5, 5 + sign, sha256('')
     from movement, account cross join lateral (select case owner_id when $2 then 1 else -1 end as sign) as s`,
    [[one, other], one],
  );
  expect((await admin.query(ofTwo)).rows).toHaveLength(1);
  await admin.query('rollback');
});

/** Name, where it goes, and by which column it is known whose a row is. */
const placed = [...read('docs/scale.md').matchAll(/^\| `(\w+)` \| (\w+) \|\s*([^|]*?)\s*\|/gm)].map(
  ([, table = '', place = '', by = '']) => ({ table, place, by: by.replaceAll('`', '') }),
);

it('docs/scale.md says of every table where it goes when there are several databases', async () => {
  const { rows } = await admin.query<{ name: string; columns: string[] }>(
    `select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' group by table_name order by table_name`,
  );
  expect(placed.map(({ table }) => table).toSorted()).toEqual(rows.map(({ name }) => name));
  const places = ['investor', 'shard', 'reference', 'house'];
  expect(placed.filter(({ place }) => !places.includes(place))).toEqual([]);
  const columns = new Map(rows.map((row) => [row.name, [...row.columns, 'none yet']]));
  const isWrong = ({ table, place, by }: (typeof placed)[number]) =>
    place === 'investor' ? !columns.get(table)?.includes(by) : by !== '';
  expect(placed.filter(isWrong)).toEqual([]);
});

/** Which tables of the house are named in what is sent to the database meanwhile. */
async function housesTables(work: () => Promise<unknown>): Promise<string> {
  const sent = watchStatements();
  await work();
  const texts = sent.all().map(({ text }) => text);
  sent.stop();
  const named = texts.flatMap((text) =>
    [...text.matchAll(/\b(?:from|join|into|update|copy)\s+"?(\w+)"?/gi)].map(([, name]) => name),
  );
  expect(named.join(' '), 'it was seen what is sent').toMatch(/\bledger_(commands|accounts)\b/);
  const houses = placed.filter(({ table, place }) => place === 'house' && named.includes(table));
  return houses.map(({ table }) => `\`${table}\``).join(', ') || 'none';
}

const wishWords: Record<Wish['do'], string> = {
  deposit: 'asking for a deposit, and confirming it',
  invest: 'investing',
  withdraw: 'asking for a withdrawal',
  approve: 'approving one',
  pay: 'marking one as paid',
  cancel: 'cancelling one',
  reject: 'rejecting one',
  correct: 'correcting',
  exit: 'leaving an investment early',
  choose: 'choosing what happens at maturity',
  settle: 'settling what is due',
};

it('docs/scale.md says what of the house each command needs beside its investor', async () => {
  const [userId = ''] = await newInvestors(test, 1);
  const play = playerFor([userId]);
  const { funding } = test.context;
  const asked = { userId, paymentname: 'Bitcoin', amountCents: 90_000n, idempotencyKey: null };
  const found = new Map([['asking for a deposit', await housesTables(() => funding.askForFunding(asked))]]);
  for (const [n, wish] of [...lifeOf(0, 'alone'), { do: 'settle' } as const].entries()) {
    if (wish.do === 'exit') test.clock.advance(15 * dayMs);
    if (wish.do === 'settle') test.clock.advance(30 * dayMs);
    const command = { key: `alone-${n}`, wish };
    const tables = await housesTables(async () => expect((await play(command)).outcome).toBe('done'));
    found.set(wishWords[wish.do], tables);
  }
  const rows = [...read('docs/scale.md').matchAll(/^\| ([a-z][\w ,]+) \| (none|`[\w`, ]+`) \|$/gm)];
  expect(rows.map(([, what, tables]) => [what, tables])).toEqual([...found]);
});
