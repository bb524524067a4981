import * as calls from '@tallystick/contract/users';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Reply, send, tryCall } from '../../testing/call.ts';
import { hourMs, minuteMs } from '../../testing/clock.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const profile = (as: { token?: string; cookies?: Record<string, string> }) =>
  tryCall(test, calls.viewprofile, { as });
const seen = (reply: Reply<typeof calls.viewprofile>) =>
  reply.code === 'done' && 'answer' in reply ? reply.answer._id : reply.status;

/** How many sessions each read asked for, in the order of the reads. */
let reads: number[] = [];
/** What becomes of a read that the database has answered, before the server hears of it. */
let onTheWay: () => Promise<void>;
const arrived = async (count: number) =>
  vi.waitFor(() => expect(test.context.users.authenticate).toHaveBeenCalledTimes(count), { interval: 5 });
const readsBegun = async (count: number) =>
  vi.waitFor(() => expect(reads).toHaveLength(count), { interval: 5 });

beforeEach(() => {
  reads = [];
  onTheWay = async () => {};
  vi.spyOn(test.context.users, 'authenticate');
  const query = pg.Pool.prototype.query as (asked: pg.QueryConfig) => Promise<pg.QueryResult>;
  vi.spyOn(pg.Pool.prototype, 'query').mockImplementation(async function (this: pg.Pool, ...args: unknown[]) {
    const [asked] = args as [pg.QueryConfig<[Buffer]>];
    const answer = await query.apply(this, args as [pg.QueryConfig]);
    if (!asked.name?.startsWith('sessions by')) return answer;
    // How many an array holds stands behind its dimensions, flags and type.
    reads.push(asked.values?.[0].readInt32BE(12) ?? 0);
    await onTheWay();
    return answer;
  });
});
afterEach(() => vi.restoreAllMocks());

/** A read for somebody else is under way until it is let go. */
async function holdRead(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  onTheWay = () => promise;
  return () => {
    onTheWay = async () => {};
    resolve();
  };
}

async function signOut(person: SignedIn): Promise<void> {
  const { rows } = await test.context.owner.query('select id from sessions where user_id = $1', [
    person.userid,
  ]);
  for (const { id: sessionId } of rows)
    await test.context.users.signOut({ userId: person.userid, sessionId, clientAddress: 'test' });
}

describe('requests that arrive together', () => {
  it('are looked up with one statement, each by its own token or cookie', async () => {
    const [first, amara, bola, ended, expired] = [
      await signedIn(test),
      await signedIn(test),
      await signedIn(test),
      await signedIn(test),
      await signedIn(test),
    ];
    await signOut(ended);
    await test.context.owner.query('update sessions set expires_at = $1 where user_id = $2', [
      new Date(test.clock.now().getTime() - hourMs),
      expired.userid,
    ]);
    const letGo = await holdRead();
    const alone = profile({ token: first.token });
    await readsBegun(1);
    const tokens = [amara, ended, bola, expired, { token: 'forged'.repeat(8) }, amara].map(({ token }) => ({
      token,
    }));
    const asked = tokens.map(profile);
    await arrived(7);
    letGo();
    expect(seen(await alone)).toBe(first.userid);
    expect((await Promise.all(asked)).map(seen)).toEqual([
      amara.userid,
      401,
      bola.userid,
      401,
      401,
      amara.userid,
    ]);
    expect(reads).toEqual([1, 6]);
    // A cookie is looked up by the cookies' own index: its value is no bearer token, nor the other way round.
    const { session = '' } = amara.cookies;
    const byCookie = [{ cookies: { session } }, { cookies: bola.cookies }, { token: session }];
    expect((await Promise.all(byCookie.map(profile))).map(seen)).toEqual([amara.userid, bola.userid, 401]);
    expect((await profile({ cookies: { session: amara.token } })).status).toBe(401);
  });

  it('are refused after a sign-out was answered, though a read from before it is still under way', async () => {
    const [leaving, other] = [await signedIn(test), await signedIn(test)];
    const letGo = await holdRead();
    const before = [profile({ token: leaving.token }), profile({ token: other.token })];
    await readsBegun(1);
    await signOut(leaving);
    const after = [profile({ token: leaving.token }), profile({ token: other.token })];
    await arrived(4);
    letGo();
    // What had arrived before may be served; what came later may not.
    expect((await Promise.all(before)).map(seen)).toEqual([leaving.userid, other.userid]);
    expect((await Promise.all(after)).map(seen)).toEqual([401, other.userid]);
    expect(reads).toHaveLength(2);
  });

  it('are refused by token and by cookie as soon as the call that signs out is answered', async () => {
    const people = [await signedIn(test), await signedIn(test), await signedIn(test)];
    const others = await signedIn(test);
    const leaving = people.map(async ({ token, cookies }) => {
      expect((await tryCall(test, calls.signout, { as: { token } })).status).toBe(200);
      return Promise.all([profile({ token }), profile({ cookies })]);
    });
    const staying = Array.from({ length: 20 }, () => profile({ token: others.token }));
    expect((await Promise.all(leaving)).flat().map(seen)).toEqual([401, 401, 401, 401, 401, 401]);
    expect(new Set((await Promise.all(staying)).map(seen))).toEqual(new Set([others.userid]));
  });

  it('are all told to try again when the database cannot be asked, and the next are served', async () => {
    const people = [await signedIn(test), await signedIn(test)];
    onTheWay = async () => {
      throw new Error('Connection terminated unexpectedly');
    };
    const failed = await Promise.all(
      [...people, { token: 'forged' }].map(({ token }) =>
        send(test, 'GET', calls.viewprofile.path, undefined, { token }),
      ),
    );
    for (const answer of failed) {
      expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
        503,
        'busy',
        '5',
      ]);
    }
    onTheWay = async () => {};
    expect((await Promise.all(people.map(({ token }) => profile({ token })))).map(seen)).toEqual(
      people.map(({ userid }) => userid),
    );
  });
});

describe('that somebody was there', () => {
  const seenAt = async ({ userid }: SignedIn) => {
    const { rows } = await test.context.owner.query('select seen_at from sessions where user_id = $1', [
      userid,
    ]);
    return rows[0]?.seen_at;
  };

  it('is written for all who ask at once, at most once a minute', async () => {
    const people = [await signedIn(test), await signedIn(test)];
    const begun = test.clock.now();
    test.clock.advance(minuteMs - 1);
    await Promise.all(people.map(({ token }) => profile({ token })));
    for (const person of people) expect(await seenAt(person)).toEqual(begun);
    test.clock.advance(1);
    await Promise.all(people.map(({ token }) => profile({ token })));
    for (const person of people) expect(await seenAt(person)).toEqual(test.clock.now());
  });

  it('waits for nobody who holds the row', async () => {
    const [held, free] = [await signedIn(test), await signedIn(test)];
    const begun = test.clock.now();
    test.clock.advance(2 * minuteMs);
    const client = await test.context.owner.connect();
    try {
      await client.query('begin');
      await client.query('select from sessions where user_id = $1 for update', [held.userid]);
      const replies = await Promise.all([held, free].map(({ token }) => profile({ token })));
      expect(replies.map(seen)).toEqual([held.userid, free.userid]);
      expect([await seenAt(held), await seenAt(free)]).toEqual([begun, test.clock.now()]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
