import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from './context.ts';
import { movement, newTransactionId } from './modules/ledger/service.ts';
import { times } from './testing/at-once.ts';
import { fundedInvestor, investOn } from './testing/ledger/investors.ts';
import { startSecondServer } from './testing/ledger/second-server.ts';
import { allTold, patience, toldOf } from './testing/ledger/telling.ts';
import { type Offers, withOffers } from './testing/money.ts';
import { startTestApp, type TestApp } from './testing/start-app.ts';

let test: TestApp;
let offers: Offers;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  // Letters are written and stay in the queue, where they can be counted.
  await test.jobs.stop();
});
afterAll(() => test.close());
/** Ends what a failed test holds open. */
const letGo: (() => void)[] = [];
afterEach(async () => {
  for (const end of letGo.splice(0)) end();
  vi.restoreAllMocks();
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});

const funded = () => fundedInvestor(test);
const invest = (userId: string) => investOn(test.context, { offers, userId, amountCents: 10_000n });

const numberOf = async (transactionid: string): Promise<bigint> => {
  const query = 'select number from ledger_movements where transactionid = $1';
  return BigInt((await test.context.owner.query(query, [transactionid])).rows[0].number);
};

const readTo = async (): Promise<bigint> =>
  BigInt((await test.context.owner.query('select read_to from ledger_readers')).rows[0].read_to);

/** An investment whose movement has its number, and whose transaction does not end before it is told how. */
async function heldInvestment(userId: string) {
  const drawn = Promise.withResolvers<bigint>();
  const end = Promise.withResolvers<void>();
  letGo.push(end.resolve);
  const transactionid = newTransactionId();
  const at = test.clock.now();
  const [wallet, invested] = (['wallet', 'invested'] as const).map((kind) => ({ kind, ownerId: userId }));
  if (!wallet || !invested) throw new Error('two accounts');
  const postings = [
    { account: wallet, amountCents: -10_000n, label: 'Investment' },
    { account: invested, amountCents: 10_000n, label: 'Investment' },
  ];
  const ended = test.context.ledger.inBook({
    read: async (_tx, { openBook }) => ({ facts: null, book: await openBook([wallet, invested]) }),
    post: (_facts, book) => book.post(movement({ kind: 'investment', transactionid, at, postings })),
    async write(tx) {
      await sql`
        insert into investments (id, user_id, plan_id, transactionid, planname, amount_cents, profit_cents,
          duration_days, roi_points, opened_at, matures_at)
        select gen_random_uuid(), ${userId}, id, ${transactionid}, planname, 10000, 80, 30, 80, ${at}, ${at}
        from plans where id = ${offers.plans.Starter}`.execute(tx);
      const { rows } = await sql<{ number: bigint }>`
        select number from ledger_movements where transactionid = ${transactionid}`.execute(tx);
      drawn.resolve(rows[0]?.number ?? 0n);
      await end.promise;
    },
  });
  ended.catch(drawn.reject);
  return {
    transactionid,
    number: await drawn.promise,
    async commit() {
      end.resolve();
      await ended;
    },
    async rollBack() {
      end.reject(new Error('changed my mind'));
      await expect(ended).rejects.toThrow('changed my mind');
    },
  };
}

describe('a movement that is committed late', () => {
  let reading: { stop(): Promise<void> };
  let looks: () => number;
  beforeEach(() => {
    const spy = vi.spyOn(test.context.ledger, 'readOn');
    looks = () => spy.mock.settledResults.filter(({ type }) => type === 'fulfilled').length;
    reading = test.context.telling.start();
  });
  afterEach(() => reading.stop());

  /** The reader has looked at the journal several times more. */
  async function looked(): Promise<void> {
    const enough = looks() + 5;
    await expect.poll(looks, patience).toBeGreaterThanOrEqual(enough);
  }

  async function lateAndNext() {
    const [one, other] = [await funded(), await funded()];
    await allTold(test);
    const late = await heldInvestment(one);
    const next = await invest(other);
    expect(await numberOf(next.transactionid)).toBeGreaterThan(late.number);
    await looked();
    return { late, next, told: await toldOf(test) };
  }

  it('is not passed while nothing else happens', async () => {
    const before = await toldOf(test);
    const userId = await funded();
    await allTold(test);
    const late = await heldInvestment(userId);
    await looked();
    expect(await readTo()).toBeLessThan(late.number);
    await late.commit();
    await allTold(test);
    expect(await toldOf(test)).toEqual([...before, late.transactionid]);
  });

  it('is not passed, and told before those with later numbers, each once', async () => {
    const before = await toldOf(test);
    const { late, next, told } = await lateAndNext();
    expect(told).toEqual(before);
    expect(await readTo()).toBeLessThan(late.number);
    await late.commit();
    await allTold(test);
    await looked();
    expect(await toldOf(test)).toEqual([...before, late.transactionid, next.transactionid]);
  });

  it('or never, is not told, and those with later numbers are', async () => {
    const before = await toldOf(test);
    const { late, next, told } = await lateAndNext();
    expect(told).toEqual(before);
    await late.rollBack();
    await allTold(test);
    await looked();
    expect(await toldOf(test)).toEqual([...before, next.transactionid]);
  });

  it('is not passed by whoever has seen its number drawn before, in a database that another has taken over from', async () => {
    const { owner, ledger } = test.context;
    const before = await toldOf(test);
    const userId = await funded();
    await allTold(test);
    await reading.stop();
    const drawn = await readTo();
    // Of these numbers nothing stays but what this server remembers.
    await owner.query(`select nextval('ledger_movements_number_seq') from generate_series(1, 9)`);
    const act = () => Promise.reject(new Error('gone'));
    await expect(ledger.readOn({ reader: 'letters', atOnce: 1, act })).rejects.toThrow('gone');
    await owner.query(`select setval('ledger_movements_number_seq', $1)`, [String(drawn)]);
    const late = await heldInvestment(userId);
    expect(late.number).toBe(drawn + 1n);
    reading = test.context.telling.start();
    await looked();
    expect(await readTo()).toBe(drawn);
    await late.commit();
    await allTold(test);
    expect(await toldOf(test)).toEqual([...before, late.transactionid]);
  });

  it('is not overtaken by several that come and go while it is under way', async () => {
    const before = await toldOf(test);
    const people = await Promise.all(times(4, funded));
    await allTold(test);
    const [first, second, third, fourth] = people as [string, string, string, string];
    const one = await heldInvestment(first);
    const two = await invest(second);
    const three = await heldInvestment(third);
    await looked();
    await one.commit();
    // The second was drawn before the third began: whatever holds it back is gone now, or when the third has ended.
    await looked();
    const four = await invest(fourth);
    await looked();
    expect(await toldOf(test)).not.toContain(four.transactionid);
    await three.commit();
    await allTold(test);
    const all = [one, two, three, four].map(({ transactionid }) => transactionid);
    expect(await toldOf(test)).toEqual([...before, ...all]);
  });
});

it('a number that the database forgot in a crash and drew again is not passed before its movement is there', async () => {
  const { ledger, owner, telling } = test.context;
  const before = await toldOf(test);
  const userId = await funded();
  await telling.tellAll();
  const lost = await heldInvestment(userId);
  await lost.rollBack();
  const crash = () => Promise.reject(Object.assign(new Error('crash'), { code: '57P02' }));
  const read = (act: () => Promise<void>) => ledger.readOn({ reader: 'letters', atOnce: 500, act });
  await expect(read(crash)).rejects.toThrow('crash');
  await owner.query(`select setval('ledger_movements_number_seq', $1)`, [String(lost.number - 1n)]);

  const late = await heldInvestment(userId);
  expect(late.number).toBe(lost.number);
  await read(async () => {});
  expect(await readTo()).toBeLessThan(late.number);
  await late.commit();
  const reading = telling.start();
  await allTold(test);
  await reading.stop();
  expect(await toldOf(test)).toEqual([...before, late.transactionid]);
});

it('whoever draws a number for a movement is known as a writer before', async () => {
  const { owner, db } = test.context;
  // Between the number and the row there is no moment in which the reader could take the number for one that is lost.
  await owner.query(`
    create function refuse_unknown_writer() returns trigger language plpgsql as $$
    begin
      if new.number is null or not exists (select from pg_locks where pid = pg_backend_pid()
        and relation = 'ledger_movements'::regclass and mode = 'RowExclusiveLock' and granted) then
        raise exception 'nobody knows of this writer';
      end if;
      return new;
    end $$;
    create trigger writer_known before insert on ledger_movements
      for each row execute function refuse_unknown_writer()`);
  const drawAndForget = () =>
    db.transaction().execute(async (tx) => {
      await sql`
        insert into ledger_movements (id, transactionid, kind, at)
        values (gen_random_uuid(), ${newTransactionId()}, 'nothing', now())`.execute(tx);
      throw new Error('drawn');
    });
  try {
    for (const _time of times(3, () => null)) await expect(drawAndForget()).rejects.toThrow('drawn');
  } finally {
    await owner.query('drop trigger writer_known on ledger_movements; drop function refuse_unknown_writer');
  }
});

describe('two servers', () => {
  it('that read one journal at once tell each movement once', async () => {
    const second = await startSecondServer(test);
    const before = await toldOf(test);
    const readings = [test.context, second].map(({ telling }) => telling.start());
    const investments: { transactionid: string }[] = [];
    for (const _wave of times(4, () => null)) {
      const people = await Promise.all(times(10, funded));
      investments.push(...(await Promise.all(people.map(invest))));
    }
    await allTold(test);
    for (const reading of readings) await reading.stop();
    await second.close();
    const told = (await toldOf(test)).slice(before.length);
    expect(told.toSorted()).toEqual(investments.map(({ transactionid }) => transactionid).toSorted());
  });

  it('never act on the same movements: while one does, the other leaves them alone', async () => {
    const second = await startSecondServer(test);
    await invest(await funded());
    const acted: string[] = [];
    const read = (name: string, { ledger }: Context, during: () => Promise<void>) =>
      ledger.readOn({
        reader: 'letters',
        atOnce: 500,
        async act() {
          await during();
          acted.push(name);
        },
      });
    // Both know how far they may read; nothing else is what keeps the second from it.
    const failing = () => Promise.reject(new Error('not yet'));
    const failsOf = (name: string, context: Context) =>
      read(name, context, failing).then(String, (error) => error.message);
    await expect.poll(() => failsOf('one', test.context), patience).toBe('not yet');
    await expect.poll(() => failsOf('other', second), patience).toBe('not yet');

    const acting = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    letGo.push(end.resolve);
    const first = read('one', test.context, async () => {
      acting.resolve();
      await end.promise;
    });
    await acting.promise;
    await read('other', second, async () => {});
    expect(acted).toEqual([]);
    end.resolve();
    await first;
    await read('other', second, async () => {});
    expect(acted).toEqual(['one']);
    await second.close();
  });
});
