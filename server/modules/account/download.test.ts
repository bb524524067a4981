import { finished } from 'node:stream/promises';
import * as calls from '@tallystick/contract/account';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeEntries } from '../../testing/account/entries.ts';
import { unzipped } from '../../testing/account/unzip.ts';
import { send, tryCall } from '../../testing/call.ts';
import { dayMs } from '../../testing/clock.ts';
import { steppedUp, steppedUpPerson } from '../../testing/factors/people.ts';
import { deposit, goodAddress, type Offers, withOffers } from '../../testing/money.ts';
import { newAddress, type SignedIn, signedUp, signIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { parts } from './part-store.ts';

let test: TestApp;
let offers: Offers;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());

const ready = () => steppedUpPerson(test);

const asked = ({ token }: SignedIn) => send(test, 'GET', calls.download.path, undefined, { token });

async function live(userId: string): Promise<void> {
  const { investment, withdrawal, contact } = test.context;
  const common = { userId, idempotencyKey: null };
  await deposit(test, userId, 500);
  await investment.makeInvestment({ ...common, planId: offers.plans.Starter, amountCents: 10_000n });
  const to = { methodId: offers.withdrawalMethods.Bitcoin, address: goodAddress.Bitcoin };
  await withdrawal.askForWithdrawal({ ...common, ...to, amountCents: 5_000n });
  const { rows } = await test.context.owner.query('select email from users where id = $1', [userId]);
  const written = { name: '=HYPERLINK("x")', message: 'Hello\nthere', clientAddress: newAddress() };
  await contact.sendContactMessage({ ...written, email: rows[0].email.toUpperCase() });
  test.clock.advance(2 * 60_000);
  await test.context.proof.prove();
}

/** What else stands in the row of a person, and why it is not in what they take along. */
const leftOut: Record<string, string> = {
  password_hash: 'a secret',
  email_key: 'the address, as it is compared',
  signed_in_before: 'whether a letter tells of a device that is new',
  closed_at: 'of a closed account, which nobody signs in to',
  forget_email_at: 'the same',
  email_forgotten_at: 'the same',
  email_sealed: 'the same',
};

describe('everything about me', () => {
  it('has all that stands in the row of a person, but for what is named here', async () => {
    const { rows } = await test.context.owner.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = 'users'`,
    );
    const profile = parts.find(({ name }) => name === 'profile');
    const text = profile?.select({ userId: '', email: '' }).compile(test.context.db).sql ?? '';
    const taken = rows.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    expect([...taken, ...Object.keys(leftOut)].sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  it('asks who is there, and is a zip with every part twice, of nobody else', async () => {
    const [person, other] = [await signIn(test, await signedUp(test)), await ready()];
    expect((await tryCall(test, calls.download, { as: person })).code).toBe('step_up_required');
    await deposit(test, other.userid, 40);
    await live(person.userid);
    await steppedUp(test, person);
    const reply = await asked(person);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="my-account-\d{4}-\d\d-\d\d\.zip"$/,
      ),
      'cache-control': 'no-store',
    });
    const files = unzipped(reply.rawPayload);
    expect([...files.keys()]).toEqual([
      'README.txt',
      ...parts.flatMap(({ name }) => [`${name}.json`, `${name}.csv`]),
    ]);
    const rowsOf = (name: string) => JSON.parse(String(files.get(`${name}.json`)));
    for (const { name } of parts) {
      expect(String(files.get('README.txt'))).toContain(`${name}.json, ${name}.csv`);
      const [head = '', ...lines] = String(files.get(`${name}.csv`))
        .trimEnd()
        .split('\r\n');
      expect([name, lines.length]).toEqual([name, rowsOf(name).length]);
      if (rowsOf(name).length > 0) expect(head.split(',')).toEqual(Object.keys(rowsOf(name)[0]));
    }
    expect(rowsOf('profile')).toMatchObject([
      { id: person.userid, fullname: 'Amara Okonkwo', email: person.email },
    ]);
    // Wallet three times, invested and withdrawing once each.
    expect(rowsOf('entries')).toHaveLength(5);
    expect(
      rowsOf('entries').find(({ account }: { account: string }) => account === 'invested'),
    ).toMatchObject({
      seq: '1',
      fundingtype: 'Investment',
      amount: 100,
      balanceafter: 100,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(rowsOf('investments')).toMatchObject([{ planname: 'Starter', amount: 100, settledat: null }]);
    expect(rowsOf('deposits')).toMatchObject([{ paymentname: 'Bitcoin', amount: 500, status: 'confirmed' }]);
    expect(rowsOf('withdrawals')).toMatchObject([
      { address: goodAddress.Bitcoin, amount: 50, status: 'requested' },
    ]);
    expect(rowsOf('sessions')).toHaveLength(1);
    expect(rowsOf('security-log').map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['user.registered', 'session.begun', 'account.downloaded']),
    );
    expect(rowsOf('messages')).toMatchObject([{ name: '=HYPERLINK("x")', message: 'Hello\nthere' }]);
    expect(String(files.get('messages.csv'))).toContain(`"'=HYPERLINK(""x"")"`);
    expect(rowsOf('statements-of-the-books')).toMatchObject([{ number: '1' }]);
    const all = [...files.values()].join('\n');
    expect(all).not.toContain(other.userid);
    expect(all).not.toMatch(/\$argon2|TS-LONG/);
    // What moved before may be told after it.
    const subjects = (await test.mailbox.letters(person.email)).map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringMatching(/was downloaded$/));
  });

  it('can be had five times a day', async () => {
    const person = await ready();
    for (let n = 0; n < calls.downloadsPerDay; n += 1) expect((await asked(person)).statusCode).toBe(200);
    expect((await asked(person)).statusCode).toBe(429);
    const { rows } = await test.context.owner.query(
      `select count(*)::int as count from audit_log where action = 'account.downloaded' and subject_id = $1`,
      [person.userid],
    );
    expect(rows).toEqual([{ count: calls.downloadsPerDay }]);
    test.clock.advance(dayMs);
  });
});

describe('a long account', () => {
  const count = 30_000;
  let person: SignedIn;
  /** What another role's connection is at is shown to a superuser only. */
  let admin: pg.Client;
  afterAll(() => admin.end());
  beforeAll(async () => {
    person = await ready();
    admin = new pg.Client({ connectionString: test.database.adminUrl });
    await admin.connect();
    await writeEntries(test.database.adminUrl, person.userid, count);
  });

  const begin = async () => {
    const { rows } = await test.context.owner.query('select id from sessions where user_id = $1', [
      person.userid,
    ]);
    const identity = { userId: person.userid, sessionId: rows[0].id };
    const client = { address: newAddress(), userAgent: '' };
    return (await test.context.account.download({ identity, client })).body;
  };
  /** Of the connections, those in which it is being read; it may stand still between two parts as well. */
  const readers = async (): Promise<number[]> => {
    const { rows } = await admin.query(
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
         and query ~ '^(declare|fetch|close) .*part'`,
    );
    return rows.map(({ pid }) => pid);
  };
  const halted = async () => {
    const body = await begin();
    await new Promise((resolve) => body.once('readable', resolve));
    await expect.poll(readers).toHaveLength(1);
    return body;
  };

  it('is there to the last entry, and waits in the database for a reader who is slow', async () => {
    const body = await halted();
    // It has stopped: nothing of its size lies in memory.
    expect(body.readableLength + body.writableLength).toBeLessThan(500_000);
    const files = unzipped(Buffer.concat(await body.toArray()));
    const entries = JSON.parse(String(files.get('entries.json')));
    expect([entries.length, entries.at(-1).seq]).toEqual([count, String(count)]);
    expect(String(files.get('entries.csv')).match(/TS-LONG-\d+/g)).toHaveLength(count);
    await expect.poll(readers).toEqual([]);
  });

  it('is let go after half a minute in which its reader takes nothing, and no sooner while some of it is taken', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const slow = await halted();
      const broken = expect(finished(slow)).rejects.toThrow();
      for (let n = 0; n < 3; n += 1) {
        vi.advanceTimersByTime(25_000);
        expect(slow.read()).not.toBeNull();
        await expect.poll(() => slow.readableLength).toBeGreaterThan(0);
      }
      expect(await readers()).toHaveLength(1);
      vi.advanceTimersByTime(35_000);
      await broken;
      await expect.poll(readers).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is let go with a reader who leaves, and breaks off visibly with the database', async () => {
    const left = await halted();
    left.destroy();
    await expect.poll(readers).toEqual([]);

    const cut = await halted();
    const broken = expect(finished(cut)).rejects.toThrow();
    const [pid] = await readers();
    await admin.query('select pg_terminate_backend($1)', [pid]);
    // Only now: whoever reads on meanwhile may have read it to its end.
    const pieces: Buffer[] = [];
    cut.on('data', (piece) => pieces.push(piece));
    await broken;
    expect(() => unzipped(Buffer.concat(pieces))).toThrow('no directory');
    await expect.poll(readers).toEqual([]);
  });
});
