import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { cloneTemplate, type TestDatabase } from '../testing/database.ts';
import { makeProcessHome, type ProcessHome } from '../testing/processes.ts';
import { samplePeople } from './people.ts';

vi.setConfig({ testTimeout: 200_000 });
const patience = { timeout: 90_000, interval: 20 };

let home: ProcessHome;
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  home = await makeProcessHome();
  database = await cloneTemplate(inject('adminUrl'));
  client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await home.close();
  await database.drop();
});

const demo = () =>
  home.start({
    MODE: 'demo',
    DATABASE_URL: database.url,
    SITE_URL: '',
    SMTP_URL: '',
    MAIL_FROM: '',
    SECRET_FILE: '',
    LOG_KEY_FILE: '',
    TRUST_PROXY: '',
  });

const one = async (query: string) => (await client.query(query)).rows[0];
const movements = async () => (await one('select count(*)::int as n from ledger_movements')).n;
/** What is done last is there, and nothing twice. */
const told = () =>
  one(`select (select count(*)::int from users where verified_at is not null) as investors,
    (select count(*)::int from operators where totp_sealed is not null) as operators,
    (select count(*)::int from contact_messages) as messages,
    (select count(*)::int from ledger_checks) > 0 as checked,
    (select count(*)::int from installation) as marks`);

it('a demo that is killed while its sample data is written begins anew, and has all of it once', async () => {
  const killed = await demo();
  await expect.poll(movements, patience).toBeGreaterThan(5);
  killed.kill('SIGKILL');
  await killed.ended;
  expect(killed.said()).not.toContain('ready');
  expect(await told()).toMatchObject({ messages: 0, checked: false });

  const second = await demo();
  await expect.poll(() => second.said(), patience).toContain('ready');
  expect(second.said()).toContain('the sample data was not finished, and is made anew');
  const { investors, operators } = samplePeople();
  expect(await told()).toEqual({
    investors: investors.length,
    operators: operators.length,
    messages: 1,
    checked: true,
    marks: 1,
  });
});
