import { signin } from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tryCall } from '../../testing/call.ts';
import { newAddress } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

describe('guesses through a proxy', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ TRUST_PROXY: '10.0.0.5' });
  });
  afterAll(() => test.close());

  const guess = (forwardedFor: string, n: number) =>
    tryCall(test, signin, {
      body: { email: `nobody-${n}@example.com`, password: 'wrong guess' },
      from: '10.0.0.5',
      headers: { 'x-forwarded-for': forwardedFor },
    });

  it('are slowed down although each comes from another port', async () => {
    const client = newAddress();
    const statuses: number[] = [];
    for (let n = 0; n < 15; n += 1) statuses.push((await guess(`${client}:${40_000 + n}`, n)).status);
    expect(statuses.filter((status) => status === 429).length).toBe(10);
  });

  it('of one stranger do not lock the others out', async () => {
    expect((await guess(`${newAddress()}:40000`, 99)).status).toBe(401);
  });
});
