import { randomUUID } from 'node:crypto';
import { makeinvestment } from '@tallystick/contract/investment';
import { signin } from '@tallystick/contract/users';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tryCall } from '../../testing/call.ts';
import { deposit, operator, withOffers } from '../../testing/money.ts';
import { newAddress, type SignedIn, signedIn } from '../../testing/people.ts';
import { lightHashing, startTestApp, type TestApp } from '../../testing/start-app.ts';
import { startThrowAwayDatabase } from '../../testing/throw-away-database.ts';

let postgres: Awaited<ReturnType<typeof startThrowAwayDatabase>>;
let test: TestApp;
let admin: pg.Client;
let ada: SignedIn;
let planid: string;
beforeAll(async () => {
  postgres = await startThrowAwayDatabase();
  test = await startTestApp({}, { hashingCost: lightHashing }, postgres.adminUrl);
  admin = new pg.Client({ connectionString: test.database.adminUrl }).on('error', () => {});
  await admin.connect();
  planid = (await withOffers(test)).plans.Starter;
  ada = await signedIn(test);
  await deposit(test, ada.userid, 1_000);
  // Its own commits are nobody's concern here, those of the server are.
  await admin.query('set synchronous_commit = off');
  const name = new URL(test.database.url).pathname.slice(1);
  await admin.query(`alter database ${name} set synchronous_commit = on`);
  // Who sets this for a quiet log would not be told that a wait was cut short.
  await admin.query(`alter database ${name} set client_min_messages = error`);
  await test.restart();
  await test.jobs.stop();
});
afterAll(async () => {
  await admin.query("alter system set synchronous_standby_names = ''");
  await admin.query('select pg_reload_conf()');
  await admin.end();
  await test.close();
  await postgres.stop();
});

/** A standby that is not there, or none. */
async function waitFor(standby: string): Promise<void> {
  await admin.query(`alter system set synchronous_standby_names = '${standby}'`);
  await admin.query('select pg_reload_conf()');
  const named = async () =>
    (await admin.query('show synchronous_standby_names')).rows[0].synchronous_standby_names;
  await expect.poll(named).toBe(standby);
}

/** Those whose commit waits for its standby. */
const waiting = async () =>
  (
    await admin.query(
      `select pid from pg_stat_activity where wait_event = 'SyncRep'
         and datname = current_database()`,
    )
  ).rows.map(({ pid }) => pid as number);
async function nextToWait(known: number[] = []): Promise<number> {
  let found: number | undefined;
  await expect
    .poll(async () => {
      found = (await waiting()).find((pid) => !known.includes(pid));
      return found;
    })
    .toBeDefined();
  return found ?? 0;
}
const cutShort = (pid: number, how: 'cancel' | 'terminate') =>
  admin.query(`select pg_${how}_backend($1)`, [pid]);

const invest = (key: string) =>
  tryCall(test, makeinvestment, {
    as: ada,
    key,
    body: { userid: ada.userid, planid, investinvestmemntamount: 100 },
  });
const made = async () => (await admin.query('select from investments')).rowCount;

it.each(['cancel', 'terminate'] as const)(
  'money whose wait for the standby is cut short (%s) is not told as done before the standby has it, and done once',
  async (how) => {
    const before = (await made()) ?? 0;
    const key = `unconfirmed-${how}`;
    await waitFor('nobody');
    let answered: Awaited<ReturnType<typeof invest>> | null = null;
    const asked = invest(key).then((answer) => {
      answered = answer;
      return answer;
    });
    const first = await nextToWait();
    await cutShort(first, how);
    // The database takes it for done and shows it to everyone. It is asked for again by its key, and that waits, too.
    const second = await nextToWait([first]);
    expect(await made()).toBe(before + 1);
    expect(answered).toBeNull();
    await cutShort(second, how);
    const told = await asked;
    expect([told.status, told.code, told.headers['retry-after']]).toEqual([503, 'busy', '5']);

    const again = invest(key);
    await nextToWait([first, second]);
    await waitFor('');
    expect((await again).status).toBe(200);
    expect((await invest(key)).status).toBe(200);
    expect(await made()).toBe(before + 1);
  },
);

it('what has no key is told to be not known', async () => {
  await waitFor('nobody');
  const { email, password } = ada;
  const asked = tryCall(test, signin, { body: { email, password, isAdmin: false }, from: newAddress() });
  await cutShort(await nextToWait(), 'cancel');
  const told = await asked;
  expect([told.status, told.code, told.headers['retry-after']]).toEqual([503, 'busy', '5']);
  expect(told.text).toContain('not known');
  await waitFor('');
});

it('an answer that is found by its key waits as well where no row had to be locked', async () => {
  const { withdrawal } = test.context;
  const command = { withdrawalId: randomUUID(), actor: operator(), idempotencyKey: 'unconfirmed-refusal' };
  const approve = () => withdrawal.approveWithdrawal(command);
  await waitFor('nobody');
  const refused = expect(approve()).rejects.toMatchObject({ code: '08007' });
  const first = await nextToWait();
  await cutShort(first, 'cancel');
  const second = await nextToWait([first]);
  await cutShort(second, 'cancel');
  await refused;
  const again = expect(approve()).rejects.toMatchObject({ code: 'not_found' });
  await nextToWait([first, second]);
  await waitFor('');
  await again;
});
