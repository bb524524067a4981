import { randomUUID } from 'node:crypto';
import {
  fetchallinvestmentmethod,
  fetchsingleinvestment,
  makeinvestment,
} from '@tallystick/contract/investment';
import { summary } from '@tallystick/contract/ledger';
import { signout as leaveConsole, me } from '@tallystick/contract/operator/session';
import * as users from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignOuts } from './modules/users/sessions/sign-outs.ts';
import { ownersDb } from './platform/postgres/db.ts';
import { call, tryCall } from './testing/call.ts';
import { minuteMs } from './testing/clock.ts';
import { deposit, withOffers } from './testing/money.ts';
import { signedInOperator } from './testing/operators.ts';
import { newAddress, resetPassword, type SignedIn, signedIn, signIn } from './testing/people.ts';
import { startTwoServers, type TwoServers } from './testing/servers/two-servers.ts';
import type { TestApp } from './testing/start-app.ts';

const perMinute = 100;
let servers: TwoServers;
beforeAll(async () => {
  servers = await startTwoServers({ requestsPerMinute: perMinute });
});
afterAll(() => servers.close());

const profile = async (server: TestApp, as: SignedIn) =>
  (await tryCall(server, users.viewprofile, { as: { token: as.token }, from: newAddress() })).status;

describe('a session that ended on one server is refused on the other at the next request:', () => {
  const endings: [string, (ada: SignedIn) => Promise<unknown>][] = [
    ['signed out', (ada) => call(servers.one, users.signout, { as: ada })],
    [
      'the password set anew',
      (ada) => resetPassword(servers.one, ada, { password: 'another hazel 1826', how: 'link' }),
    ],
    [
      'signed out from another browser',
      async (ada) => {
        const phone = await signIn(servers.one, { ...ada, cookies: {} });
        await call(servers.one, users.signoutothers, { as: { token: phone.token } });
      },
    ],
    [
      'the device signed out',
      async (ada) => {
        const phone = await signIn(servers.one, { ...ada, cookies: {} });
        const { device } = await call(servers.one, users.devices, { as: { token: phone.token } });
        const laptop = device.find(({ current }) => !current);
        const params = { deviceid: laptop?._id ?? '' };
        await call(servers.one, users.signoutdevice, { as: { token: phone.token }, params });
      },
    ],
    ['npm run signout -- --email', ({ email }) => signOuts().signOutInvestor({ email })],
    ['npm run signout -- --everyone', () => signOuts().signOutEveryone()],
  ];
  const signOuts = () => {
    const { owner, clock } = servers.one.context;
    return createSignOuts({ owner: ownersDb(owner), clock });
  };

  it.each(endings)('%s', async (_case, end) => {
    const ada = await signedIn(servers.one);
    expect([await profile(servers.one, ada), await profile(servers.other, ada)]).toEqual([200, 200]);
    await end(ada);
    expect([await profile(servers.other, ada), await profile(servers.one, ada)]).toEqual([401, 401]);
  });

  it('that of an operator', async () => {
    const { cookies } = await signedInOperator(servers.other);
    const asked = async (server: TestApp) => (await tryCall(server, me, { cookies })).status;
    expect([await asked(servers.one), await asked(servers.other)]).toEqual([200, 200]);
    await call(servers.one, leaveConsole, { cookies });
    expect([await asked(servers.other), await asked(servers.one)]).toEqual([401, 401]);
  });
});

describe('money', () => {
  it('that was moved on one server is seen on the other at once, and a key at both has one effect and one answer', async () => {
    const { one, other } = servers;
    const { plans } = await withOffers(one);
    const ada = await signedIn(one);
    await deposit(one, ada.userid, 1_000);
    const balance = async (server: TestApp) => (await call(server, summary, { as: ada })).available;
    const before = [await balance(one), await balance(other)];
    const body = { userid: ada.userid, planid: plans.Starter, investinvestmemntamount: 100 };
    const key = randomUUID();
    const made = await Promise.all(
      [one, other, one, other].map((server) => tryCall(server, makeinvestment, { as: ada, body, key })),
    );
    expect(new Set(made.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(made[0]?.status).toBe(200);
    const after = [await balance(other), await balance(one)];
    expect(before).toEqual([1_000, 1_000]);
    expect(after).toEqual([900, 900]);
    const params = { userid: ada.userid };
    const seen = await call(other, fetchsingleinvestment, { as: ada, params });
    expect(seen.investment).toHaveLength(1);
  });
});

describe('what is counted is counted by both together:', () => {
  it('failed tries to sign in', async () => {
    const ada = await signedIn(servers.one);
    const from = newAddress();
    const body = { email: ada.email, password: 'not this one at all', isAdmin: false };
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const server = n % 2 === 0 ? servers.one : servers.other;
      statuses.push((await tryCall(server, users.signin, { body, from })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('codes that an address asks for', async () => {
    const from = newAddress();
    const statuses: number[] = [];
    for (let n = 0; n <= 20; n += 1) {
      const server = n % 2 === 0 ? servers.one : servers.other;
      const body = { email: 'nobody@example.com' };
      statuses.push((await tryCall(server, users.forgotpassword, { body, from })).status);
    }
    expect(statuses.filter((status) => status === 429)).toEqual([429]);
    expect(statuses.at(-1)).toBe(429);
  });

  it('all requests of an address, a second later, and for no longer than the minute', async () => {
    const { one, other } = servers;
    const mine = newAddress();
    const asked = async (server: TestApp, from = mine) =>
      (await tryCall(server, fetchallinvestmentmethod, { from })).status;
    const many = async (server: TestApp, count: number) => {
      const statuses: number[] = [];
      for (let n = 0; n < count; n += 1) statuses.push(await asked(server));
      return statuses;
    };
    // All of the minute that the clock of the test is in.
    expect(new Set(await many(one, perMinute))).toEqual(new Set([200]));
    expect(await asked(one)).toBe(429);
    // A tenth of the limit is nobody else's business; then the other is asked about.
    expect(new Set(await many(other, perMinute / 10))).toEqual(new Set([200]));
    // Asked so seldom that its own count does not come to it meanwhile.
    await expect.poll(() => asked(other), { timeout: 15_000, interval: 200 }).toBe(429);
    servers.one.clock.advance(minuteMs);
    expect([await asked(one), await asked(other)]).toEqual([200, 200]);
    expect(await asked(one, newAddress())).toBe(200);
  });
});
