import * as calls from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, call, tryCall } from '../../testing/call.ts';
import { dayMs } from '../../testing/clock.ts';
import { beginReset, newAddress, type Person, signedIn, verified } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { deviceRules, sha256 } from './rules.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const laptop = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const phone = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36';

/** What a browser keeps, and what it calls itself. */
interface Browser {
  device?: string | undefined;
  useragent?: string;
}

async function enter({ email, password }: Person, { device, useragent = laptop }: Browser = {}) {
  const how = { cookies: device ? { device } : {}, headers: { 'user-agent': useragent }, from: newAddress() };
  const reply = await tryCall(test, calls.signin, { body: { email, password }, ...how });
  const { token } = answerOf(reply);
  return { token, device: reply.cookies.device, setCookies: reply.setCookies };
}

const devicesOf = async ({ userid }: Person) =>
  test.context.db.selectFrom('devices').selectAll().where('user_id', '=', userid).execute();

/** How many letters told of a new device. */
async function toldOfDevices({ email }: Person): Promise<number> {
  const letters = await test.mailbox.letters(email);
  return letters.filter(({ subject }) => subject.includes('new device')).length;
}

const list = async (token: string) => (await call(test, calls.devices, { as: { token } })).device;

describe('the cookie of a device', () => {
  it('stays for 400 days, can be read by no script, and is renewed at each sign-in', async () => {
    const person = await verified(test);
    const first = await enter(person);
    const cookie = first.setCookies.find(({ name }) => name === 'device');
    expect(cookie).toMatchObject({
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      maxAge: 400 * 24 * 60 * 60,
    });
    expect(Buffer.from(first.device ?? '', 'base64url')).toHaveLength(32);
    expect((await enter(person, first)).device).toBe(first.device);
  });

  it('is not in the database, only its hash', async () => {
    const person = await verified(test);
    const { device = '' } = await enter(person);
    const [row] = await devicesOf(person);
    expect(row?.secret_hash.equals(sha256(device))).toBe(true);
    expect(JSON.stringify(row)).not.toContain(device);
  });

  it('that nobody is known by is not taken over', async () => {
    const person = await verified(test);
    const planted = 'planted'.padEnd(43, 'x');
    expect((await enter(person, { device: planted })).device).not.toBe(planted);
  });

  it('is one for two people at the same browser, each known for themselves', async () => {
    const [one, other] = [await verified(test), await verified(test)];
    const { device } = await enter(one);
    expect((await enter(other, { device })).device).toBe(device);
    expect([(await devicesOf(one)).length, (await devicesOf(other)).length]).toEqual([1, 1]);
  });

  it('is remembered once when two sign-ins come with it at once', async () => {
    const [one, other] = [await signedIn(test), await signedIn(test)];
    const { device } = one.cookies;
    await Promise.all([enter(other, { device }), enter(other, { device })]);
    expect(await devicesOf(other)).toHaveLength(2);
    expect(await toldOfDevices(other)).toBe(1);
  });

  it('is forgotten when it was not used for 400 days, or when fifty others were used since', async () => {
    const person = await verified(test);
    const { device = '' } = await enter(person);
    test.clock.advance(deviceRules.lifeMs - dayMs);
    await test.context.users.forgetExpired();
    expect(await devicesOf(person)).toHaveLength(1);
    for (let n = 1; n <= deviceRules.keptMax; n += 1) {
      const at = new Date(test.clock.now().getTime() - n);
      const row = { user_id: person.userid, first_seen_at: at, last_seen_at: at };
      await test.context.db
        .insertInto('devices')
        .values({ ...row, secret_hash: Buffer.alloc(32, n) })
        .execute();
    }
    await enter(person);
    const kept = await devicesOf(person);
    expect(kept).toHaveLength(deviceRules.keptMax);
    expect(kept.some(({ secret_hash }) => secret_hash.equals(sha256(device)))).toBe(false);
    test.clock.advance(deviceRules.lifeMs + dayMs);
    await test.context.users.forgetExpired();
    expect(await devicesOf(person)).toEqual([]);
  });
});

describe('a new device', () => {
  it('is told by mail though it calls itself by a known name, but not the very first', async () => {
    const person = await verified(test);
    await enter(person);
    await enter(person);
    expect(await toldOfDevices(person)).toBe(1);
  });

  it('is not one that calls itself something new and has a known cookie', async () => {
    const person = await verified(test);
    const { device } = await enter(person);
    await enter(person, { device, useragent: phone });
    expect(await toldOfDevices(person)).toBe(0);
  });
});

describe('in the list of devices', () => {
  it('two of the same kind are two, one that signed in twice is one, and each says since when it is known', async () => {
    const person = await verified(test);
    const first = await enter(person);
    const firstSeen = test.clock.now().toISOString();
    test.clock.advance(60_000);
    await enter(person);
    const again = await enter(person, first);
    const listed = await list(again.token);
    expect(listed.map(({ current, useragent }) => [current, useragent])).toEqual(
      expect.arrayContaining([
        [true, laptop],
        [false, laptop],
      ]),
    );
    expect(listed).toHaveLength(2);
    const here = listed.find(({ current }) => current);
    expect([here?.firstseenat, here?.signedinat]).toEqual([firstSeen, test.clock.now().toISOString()]);
  });

  it('one that is signed out from elsewhere is out everywhere and known no more', async () => {
    const person = await verified(test);
    const there = await enter(person);
    const thereAgain = await enter(person, there);
    const here = await enter(person);
    const deviceid = (await list(here.token)).find(({ current }) => !current)?._id ?? '';
    await call(test, calls.signoutdevice, { params: { deviceid }, as: { token: here.token } });
    for (const { token } of [there, thereAgain]) {
      expect((await tryCall(test, calls.viewprofile, { as: { token } })).status).toBe(401);
    }
    expect((await devicesOf(person)).length).toBe(1);
    expect((await enter(person, there)).device).not.toBe(there.device);
  });
});

describe('a new password', () => {
  it.each(['changed', 'reset'])('that was %s leaves only the browser that did it known', async (how) => {
    const person = await verified(test);
    const here = await enter(person);
    await enter(person);
    const passwordnew = 'a newer notch 1827';
    if (how === 'changed') {
      const body = { password: person.password, passwordnew };
      await call(test, calls.changepassword, { body, as: { token: here.token } });
    } else {
      test.clock.advance(dayMs);
      const begun = await beginReset(test, person);
      const cookies = { ...begun.cookies, device: here.device ?? '' };
      await call(test, calls.verifyforgortpasscode, { body: { code: begun.code }, cookies });
      const body = { password: passwordnew, cpassword: passwordnew };
      const done = await tryCall(test, calls.updatepassword, { params: person, body, cookies });
      expect(done.cookies.device).toBe(here.device);
    }
    const known = await devicesOf(person);
    expect(known.map(({ secret_hash }) => secret_hash.equals(sha256(here.device ?? '')))).toEqual([true]);
  });
});
