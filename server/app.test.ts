import { defineCall } from '@tallystick/contract/call';
import { fetchsingleinvestment } from '@tallystick/contract/investment';
import { editprofile, signin, signout } from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createApp } from './app.ts';
import { serve } from './platform/http/serve.ts';
import { type Asking, call, everyCall, ownPage, refusal, send, tryCall } from './testing/call.ts';
import { hourMs } from './testing/clock.ts';
import { signedInOperator } from './testing/operators.ts';
import { registered, type SignedIn, signedIn, verified } from './testing/people.ts';
import { startTestApp, type TestApp } from './testing/start-app.ts';

let test: TestApp;
let investor: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  investor = await signedIn(test);
});
afterAll(() => test.close());

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number];

function routes(scope: string) {
  const known = test.app.routeTable().filter((route) => route.scope === scope);
  return known.filter((route): route is typeof route & { method: Method } =>
    methods.includes(route.method as Method),
  );
}

const ask = (route: { method: Method; url: string }, how: Parameters<typeof send>[4] = {}) => {
  const { userid } = investor;
  const url = route.url.replace(':userid', userid).replace(/:\w+|\*/g, 'x');
  return send(test, route.method, url, route.method === 'GET' ? undefined : { userid }, how);
};

describe('who may call what, for every route there is', () => {
  it('puts every route into exactly one scope', () => {
    const table = test.app.routeTable();
    expect(table.length).toBeGreaterThan(30);
    expect(table.filter((route) => !['public', 'investor', 'operator'].includes(route.scope ?? ''))).toEqual(
      [],
    );
  });

  it('lets anyone call the public ones', async () => {
    for (const route of routes('public')) {
      const { statusCode } = await ask(route);
      expect([401, 403], `${route.method} ${route.url}`).not.toContain(statusCode);
      expect(statusCode, `${route.method} ${route.url}`).toBeLessThan(500);
    }
  });

  it('answers 401 on the others to nobody, before it looks at anything else', async () => {
    expect(
      [routes('investor').length, routes('operator').length],
      'There is a new route: change the number, and if it names a thing of somebody’s, add a case to not-yours.test.ts',
    ).toEqual([58, 84]);
    for (const route of [...routes('investor'), ...routes('operator')]) {
      const answer = await ask(route);
      expect([answer.statusCode, answer.json().code], route.url).toEqual([401, 'unauthenticated']);
    }
  });

  it('answers 401 to a forged, a revoked and an expired session', async () => {
    const revoked = await signedIn(test);
    await call(test, signout, { as: revoked });
    const expired = await signedIn(test);
    await test.context.db
      .updateTable('sessions')
      .set({ expires_at: new Date(test.clock.now().getTime() - hourMs) })
      .where('user_id', '=', expired.userid)
      .execute();
    for (const route of routes('investor')) {
      for (const token of [revoked.token, expired.token, 'forged'.repeat(8)]) {
        expect((await ask(route, { token })).statusCode, route.url).toBe(401);
      }
    }
  });

  it('answers 401 on the console to investors, and on the investor’s calls to operators', async () => {
    const operator = await signedInOperator(test);
    for (const route of routes('operator')) {
      const { token, cookies } = investor;
      const answer = await ask(route, { token, cookies, headers: ownPage });
      expect([answer.statusCode, answer.json().code], route.url).toEqual([401, 'unauthenticated']);
    }
    for (const route of routes('investor')) {
      const answer = await ask(route, { cookies: operator.cookies, headers: ownPage });
      expect([answer.statusCode, answer.json().code], route.url).toEqual([401, 'unauthenticated']);
    }
  });

  it('answers 401 on the console to a revoked and to an expired session, and lets an operator in', async () => {
    const [working, revoked, expired] = [
      await signedInOperator(test),
      await signedInOperator(test),
      await signedInOperator(test),
    ];
    await test.context.users.signOutOperator({
      operatorId: revoked.id,
      clientAddress: 'test',
      sessionId: (
        await test.context.users.authenticateOperator({
          cookie: revoked.cookies['operator-session'] ?? '',
          background: true,
        })
      ).sessionId,
    });
    await test.context.owner.query('update operator_sessions set expires_at = $1 where operator_id = $2', [
      new Date(test.clock.now().getTime() - hourMs),
      expired.id,
    ]);
    for (const route of routes('operator')) {
      for (const { cookies } of [revoked, expired]) {
        expect((await ask(route, { cookies, headers: ownPage })).statusCode, route.url).toBe(401);
      }
      if (route.url.endsWith('/signout')) continue;
      const { statusCode } = await ask(route, { cookies: working.cookies, headers: ownPage });
      expect([401, 500], route.url).not.toContain(statusCode);
    }
  });

  it('answers 401 to nobody on a call that a bench added, which no other server has', async () => {
    const path = '/api/bench/nothing';
    const nothing = defineCall('GET', path, { summary: '', answer: z.object({}) });
    const benched = await createApp(test.context, async (app) =>
      serve(app, 'investor', nothing, async () => ({})),
    );
    const headers = { authorization: `Bearer ${investor.token}` };
    expect((await benched.inject(path)).statusCode).toBe(401);
    expect((await benched.inject({ url: path, headers })).statusCode).toBe(200);
    await benched.close();
    expect((await test.app.inject({ url: path, headers })).statusCode).toBe(404);
  });

  it('leaves a trace when someone reaches for what is another’s', async () => {
    const { rows } = await test.context.owner.query(
      "select details from audit_log where action = 'request.refused' and actor_id = $1",
      [investor.userid],
    );
    const before = rows.length;
    await refusal(test, fetchsingleinvestment, { params: await verified(test), as: investor });
    const after = await test.context.owner.query(
      "select details from audit_log where action = 'request.refused' and actor_id = $1",
      [investor.userid],
    );
    expect(after.rows.length).toBe(before + 1);
    expect(after.rows.at(-1).details).toMatchObject({ code: 'not_yours' });
  });

  it('gives a person whose e-mail is not proven nothing to call with', async () => {
    const { email, password } = await registered(test);
    const told = await refusal(test, signin, { body: { email, password } });
    expect([told.status, JSON.parse(told.text).token, told.setCookies]).toEqual([422, undefined, []]);
  });
});

describe('a request from another site', () => {
  const editing = (how: Omit<Asking<typeof editprofile>, 'body'>) =>
    tryCall(test, editprofile, { body: { fullname: 'Amara Okonkwo' }, ...how });

  it.each([
    ['by its Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    ['by a same-site neighbour', { 'sec-fetch-site': 'same-site' }],
    ['by its Origin', { origin: 'https://evil.example' }],
    ['by an opaque Origin', { origin: 'null' }],
    ['that says nothing of itself and has only the cookie', {}],
  ])('is refused when it is known %s', async (_case, headers) => {
    const reply = await editing({ cookies: investor.cookies, headers: headers as Record<string, string> });
    expect([reply.status, reply.code]).toEqual([403, 'cross_site']);
  });

  it.each(['Basic x', '', 'Bearer', 'Bearer ', 'Bearer a b', 'Digest y', 'x'])(
    'is not let through with the cookie by the header Authorization: %s',
    async (authorization) => {
      const reply = await editing({ cookies: investor.cookies, headers: { authorization } });
      expect([reply.status, reply.code]).toEqual([403, 'cross_site']);
    },
  );

  it('is not let through to the console by a bearer token, which opens nothing there', async () => {
    const { cookies } = await signedInOperator(test);
    const answer = await send(test, 'POST', '/api/operator/books/check', undefined, {
      cookies,
      token: investor.token,
    });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'cross_site']);
  });

  it('is refused on public calls, too', async () => {
    const body = { email: investor.email, password: investor.password };
    const headers = { origin: 'https://evil.example' };
    expect((await refusal(test, signin, { body, headers })).code).toBe('cross_site');
  });

  it.each([{ 'sec-fetch-site': 'same-origin' }, { origin: 'http://127.0.0.1:3000' }])(
    'is not what our own page sends: %o',
    async (headers) => {
      const reply = await editing({ cookies: investor.cookies, headers: headers as Record<string, string> });
      expect(reply.status).toBe(200);
    },
  );

  it('is not what a program with the bearer token sends', async () => {
    expect((await editing({ as: { token: investor.token } })).status).toBe(200);
  });

  it('is not what our own page sends behind a proxy with a password of its own', async () => {
    const headers = { ...ownPage, authorization: 'Basic dmlzaXRvcjp4' };
    expect((await editing({ cookies: investor.cookies, headers })).status).toBe(200);
  });
});

describe('a malformed request', () => {
  it.each([
    ['text instead of JSON', 'text/plain', '{}', 415],
    ['a form', 'application/x-www-form-urlencoded', 'email=a', 415],
    ['broken JSON', 'application/json', '{"email":', 400],
    ['a list', 'application/json', '[]', 400],
    ['null', 'application/json', 'null', 400],
    ['a poisoned object', 'application/json', '{"__proto__":{"isAdmin":true}}', 400],
    ['too much', 'application/json', JSON.stringify({ email: 'x'.repeat(70_000) }), 413],
  ])('(%s) is refused clearly', async (_case, contentType, payload, status) => {
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/users/signin',
      payload,
      headers: { 'content-type': contentType },
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual({ code: expect.any(String), message: expect.stringMatching(/\.$/) });
  });

  it('for an unknown address gets a JSON 404 under /api and the site’s page elsewhere', async () => {
    const api = await test.app.inject('/api/nothing');
    expect([api.statusCode, api.json().code]).toEqual([404, 'not_found']);
    const page = await test.app.inject('/nothing');
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });
});

describe('an answer of the API is never stored and names no third party', () => {
  it.each([
    ['/api/users/viewprofile', 200],
    ['/%61pi/users/viewprofile', 200],
    ['/a%70%69/users/view%70rofile', 200],
    ['/api/nothing', 404],
    ['/%61pi/nothing', 404],
  ])('however its address is spelled: %s', async (url, status) => {
    const answer = await send(test, 'GET', url, undefined, { token: investor.token });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      status,
      expect.stringContaining('application/json'),
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it.each(['/API/users/viewprofile', '//api/users/viewprofile', '/api//users/viewprofile'])(
    '%s is no address of the API',
    async (url) => {
      expect((await send(test, 'GET', url, undefined, { token: investor.token })).statusCode).toBe(404);
    },
  );
});

it('every call of the contract is served', async () => {
  const calls = await everyCall();
  expect(calls.length).toBeGreaterThan(60);
  const served = test.app.routeTable().map(({ method, url }) => `${method} ${url}`);
  expect(
    calls.map(({ method, path }) => `${method} ${path}`).filter((call) => !served.includes(call)),
  ).toEqual([]);
});

it('the API reference lists every call under /api', async () => {
  const { paths } = (await test.app.inject('/api/docs/openapi.json')).json();
  const documented = Object.keys(paths).map((path) => path.replace(/\{(\w+)\}/g, ':$1'));
  const calls = test.app.routeTable().filter(({ url }) => /^\/api\/(?!docs)/.test(url));
  expect(calls.map(({ url }) => url).filter((url) => !documented.includes(url))).toEqual([]);
});
