import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownPage } from '../../server/testing/call.ts';
import { signedInOperator } from '../../server/testing/operators.ts';
import { signedIn } from '../../server/testing/people.ts';
import { proofRuns } from '../../server/testing/proof-size.ts';
import { startTestApp, type TestApp } from '../../server/testing/start-app.ts';
import { chanceOf } from '../seed.ts';
import { type Operation, readDocument } from './document.ts';
import { fuzz, type Send } from './fuzz.ts';
import { sayMalformed } from './malformed.ts';
import type { Credentials } from './requests.ts';
import { spoiling } from './spoiling.ts';

let test: TestApp;
let operations: Operation[];
const who: Credentials = { anyone: {}, investor: {}, operator: {}, forged: {} };

/** Sessions end on the way, by what operators are made to do with people: then another comes. */
async function people(): Promise<Credentials> {
  const isLetIn = async (url: string, headers: Record<string, string>) =>
    (await test.app.inject({ url, headers })).statusCode === 200;
  if (!(await isLetIn('/api/users/viewprofile', who.investor))) {
    who.investor = { authorization: `Bearer ${(await signedIn(test)).token}` };
  }
  if (!(await isLetIn('/api/operator/me', who.operator))) {
    const { cookies } = await signedInOperator(test);
    const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
    who.operator = { ...ownPage, cookie: cookie.join('; ') };
  }
  return who;
}

beforeAll(async () => {
  test = await startTestApp();
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  operations = readDocument((await test.app.inject('/api/docs/openapi.json')).body);
  who.forged = { authorization: 'Bearer AAAAAAAAAAAAAAAAAAAAAA', cookie: 'operator-session=AAAA' };
});
afterAll(() => test.close());

const send: Send = async ({ method, url, headers, body }) => {
  const how = { method: method as 'GET', url, headers, ...(body !== undefined && { payload: body }) };
  const { statusCode, headers: said, body: text } = await test.app.inject(how);
  return { status: statusCode, headers: said, text };
};

const fuzzed = (seed: number, requests: number, sending = send) =>
  fuzz({ operations, requests, chance: chanceOf(seed), send: sending, people });

it('random and hostile requests break no route: no 5xx, no trace, answers as documented, refusals in a sentence', async () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const { findings, asked, done, heard } = await fuzzed(seed, proofRuns(1_500, 400));
  expect([...findings], `seed ${seed}`).toEqual([]);
  expect(asked).toBe(operations.length);
  // It gets past the doors: what is answered is not refusals alone.
  const statuses = [...heard.keys()];
  expect(statuses, `seed ${seed}`).toEqual(expect.arrayContaining([200, 400, 404]));
  expect(done, `seed ${seed}`).toBeGreaterThan(operations.length / 4);
});

it('the same seed asks the same, and an answer that is spoilt on its way is found, each in its way', async () => {
  const asked: string[][] = [[], []];
  const listening =
    (list: string[] = []): Send =>
    async (request) => {
      list.push(`${request.method} ${request.url} ${request.body ?? ''}`);
      return { status: 401, headers: {}, text: '{"code":"unauthenticated","message":"Sign in."}' };
    };
  for (const list of asked) await fuzzed(7, 1, listening(list));
  expect(asked[0]).toHaveLength(operations.length);
  expect(asked[0]).toEqual(asked[1]);

  const { findings } = await fuzzed(7, 600, spoiling(send));
  const all = [...findings.keys()].join('\n');
  for (const what of [
    '500: ',
    'shows our innards',
    'is not in our shape',
    '418 ',
    'is not what is documented',
  ])
    expect(all).toContain(what);
});

it('what is no HTTP gets a refusal in our shape', async () => {
  expect(await sayMalformed((test.app.server.address() as AddressInfo).port)).toEqual([]);
});

it('the document of the calls names nothing that it does not have', async () => {
  const { body } = await test.app.inject('/api/docs/openapi.json');
  const { schemas } = JSON.parse(body).components;
  const named = [...body.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
  expect(named.filter((name = '') => !(name in schemas))).toEqual([]);
});
