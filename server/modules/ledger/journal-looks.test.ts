import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { standBetween } from '../../testing/postgres/between.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { createJournal } from './journal.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
  // Nobody else reads.
  await test.jobs.stop();
});
afterAll(() => test.close());
afterEach(() => vi.restoreAllMocks());

/** Holds what everyone holds who writes movements, and has drawn a number. */
async function writer() {
  const client = new pg.Client({ connectionString: test.database.adminUrl });
  await client.connect();
  await client.query('begin');
  await client.query('lock table ledger_movements in row exclusive mode');
  const { rows } = await client.query(`select nextval('ledger_movements_number_seq') as number`);
  return { number: BigInt(rows[0].number), end: () => client.end() };
}

/** The first who asks who writes hears the answer when it is let go. */
function holdFirstAnswer() {
  const [asked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isFirst = true;
  standBetween((question, send) => {
    const answer = send(...question);
    if (!isFirst || !JSON.stringify(question[0]).includes('pg_locks')) return answer;
    isFirst = false;
    return answer.then(async (told) => {
      asked.resolve();
      await letGo.promise;
      return told;
    });
  });
  return { asked: asked.promise, letGo: letGo.resolve };
}

it('a look at the journal that another overtook decides nothing by what it has seen', async () => {
  const { db, owner } = test.context;
  const journal = createJournal({ db });
  const read = () => journal.readOn({ reader: 'letters', atOnce: 500, act: async () => {} });
  const before = await writer();
  const answer = holdFirstAnswer();
  const late = read();
  await answer.asked;
  const under = await writer();
  await before.end();
  const next = read();
  // More trips than a look takes, for one that does not wait for the other.
  for (let trips = 0; trips < 20; trips += 1) await sql`select`.execute(db);
  answer.letGo();
  await Promise.all([late, next]);
  await read();
  const { rows } = await owner.query(`select read_to from ledger_readers where name = 'letters'`);
  expect(BigInt(rows[0].read_to)).toBeLessThan(under.number);
  await under.end();
});
