import { resetlink, signin, updatepassword } from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tryCall } from '../../testing/call.ts';
import { dayMs, hourMs, secondMs } from '../../testing/clock.ts';
import { beginReset, newAddress, signedIn, verified } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { signInRules } from './rules.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

type Cookies = Record<string, string>;
const tryIn = (email: string, password: string, from = newAddress(), cookies: Cookies = {}) =>
  tryCall(test, signin, { body: { email, password, isAdmin: false }, from, cookies });
const wrongly = async (email: string, from?: string, cookies?: Cookies) =>
  (await tryIn(email, 'wrong guess', from, cookies)).status;

/** The failures that strangers together are held up by, but for the last few. */
async function strangersFailed(email: string, hits: number): Promise<void> {
  const { windowMs } = signInRules.perAccount;
  const window_ends_at = new Date(test.clock.now().getTime() + windowMs);
  await test.context.db
    .insertInto('throttles')
    .values({ scope: 'sign-in-account', subject: email, hits, window_ends_at })
    .onConflict((conflict) => conflict.columns(['scope', 'subject']).doUpdateSet({ hits, window_ends_at }))
    .execute();
}

/** The account is slowed down for strangers. */
async function besieged(email: string): Promise<void> {
  await strangersFailed(email, signInRules.perAccount.from - 1);
  expect(await wrongly(email)).toBe(401);
  expect(await wrongly(email)).toBe(429);
}

describe('a stranger who guesses from one address', () => {
  it('does not lock the owner out of a new browser elsewhere', async () => {
    const person = await verified(test);
    const from = newAddress();
    for (let n = 0; n < 7; n += 1) await wrongly(person.email, from);
    expect((await tryIn(person.email, person.password, from)).status).toBe(429);
    expect((await tryIn(person.email, person.password)).status).toBe(200);
  });

  it('counts five times on the account and no more, however long they go on', async () => {
    const person = await verified(test);
    const from = '2001:db8:5:6::1';
    for (let n = 0; n < 12; n += 1) {
      expect(await wrongly(person.email, from.replace(/1$/, String(n + 1)))).toBe(401);
      test.clock.advance(hourMs + secondMs);
    }
    const counted = await test.context.db
      .selectFrom('throttles')
      .select('hits')
      .where('scope', '=', 'sign-in-account')
      .where('subject', '=', person.email)
      .executeTakeFirst();
    expect(counted?.hits).toBe(signInRules.perPair.from);
  });

  it('gets five looks out of twenty tries at once', async () => {
    const person = await verified(test);
    const from = newAddress();
    const statuses = await Promise.all(Array.from({ length: 20 }, () => wrongly(person.email, from)));
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(signInRules.perPair.from);
    expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
  });
});

describe('strangers from many addresses', () => {
  it('are slowed down together, and told what helps, the same for an address that nobody has', async () => {
    const person = await verified(test);
    const refusals = [];
    for (const email of [person.email, 'nobody-at-all@example.com']) {
      for (let address = 0; address < 5; address += 1) {
        const from = newAddress();
        const tries = await Promise.all([0, 1, 2, 3, 4].map(() => wrongly(email, from)));
        expect(tries).toEqual([401, 401, 401, 401, 401]);
      }
      const refused = await tryIn(email, person.password);
      refusals.push([refused.status, refused.headers['retry-after'], refused.text]);
    }
    expect(refusals[0]?.slice(0, 2)).toEqual([429, '30']);
    expect(refusals[0]?.[2]).toMatch(/browser where you signed in before.*link that we mail/);
    expect(refusals[1]).toEqual(refusals[0]);
  });

  it('wait a quarter of an hour at most', async () => {
    const person = await verified(test);
    await strangersFailed(person.email, 200);
    expect(await wrongly(person.email)).toBe(401);
    expect((await tryIn(person.email, person.password)).headers['retry-after']).toBe('900');
  });

  it('do not hold up a browser that the owner signed in with before', async () => {
    const person = await signedIn(test);
    const { device = '' } = person.cookies;
    await besieged(person.email);
    expect((await tryIn(person.email, person.password)).status).toBe(429);
    expect((await tryIn(person.email, person.password, newAddress(), { device })).status).toBe(200);
  });

  it('do not hold it up from their own network either', async () => {
    const person = await signedIn(test);
    const shared = newAddress();
    for (let n = 0; n < 6; n += 1) await wrongly(person.email, shared);
    const { device = '' } = person.cookies;
    expect((await tryIn(person.email, person.password, shared)).status).toBe(429);
    expect((await tryIn(person.email, person.password, shared, { device })).status).toBe(200);
  });

  it('do not hold up whoever sets a new password with the mailed link, nor the browser that did', async () => {
    const person = await verified(test);
    await besieged(person.email);
    const from = newAddress();
    const { linkToken: token } = await beginReset(test, person);
    const { cookies } = await tryCall(test, resetlink, { body: { token }, from });
    const password = 'a newer notch 1827';
    const body = { password, cpassword: password };
    const done = await tryCall(test, updatepassword, { params: person, body, from, cookies });
    expect(done.status).toBe(200);
    await besieged(person.email);
    const { device = '' } = done.cookies;
    expect((await tryIn(person.email, password, newAddress(), { device })).status).toBe(200);
  });
});

describe('a stolen device cookie', () => {
  it('is no free pass: after five failures its holder is a stranger', async () => {
    const person = await signedIn(test);
    const { device = '' } = person.cookies;
    await besieged(person.email);
    const tries = [];
    for (let n = 0; n < 7; n += 1) tries.push(await wrongly(person.email, newAddress(), { device }));
    expect(tries).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  it('of one account opens nothing faster at another', async () => {
    const [thief, victim] = [await signedIn(test), await signedIn(test)];
    await besieged(victim.email);
    const { device = '' } = thief.cookies;
    expect(await wrongly(victim.email, newAddress(), { device })).toBe(429);
  });
});

it('a right password takes back nothing that strangers did', async () => {
  const person = await verified(test);
  await strangersFailed(person.email, signInRules.perAccount.from - 2);
  expect((await tryIn(person.email, person.password)).status).toBe(200);
  expect([await wrongly(person.email), await wrongly(person.email), await wrongly(person.email)]).toEqual([
    401, 401, 429,
  ]);
  test.clock.advance(dayMs);
});
