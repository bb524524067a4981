import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { securityHeaders } from './security-headers.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

describe('every answer says what a browser may do with it', () => {
  const expected = {
    'content-security-policy': expect.stringMatching(/default-src '(none|self)'.*frame-ancestors 'none'/),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };

  it.each([
    ['a page', 200, '/', {}],
    ['an answer', 200, '/healthz', {}],
    ['a stray page', 404, '/nothing', {}],
    ['an address that is none', 400, '/%zz', {}],
    ['nobody asking', 401, '/api/users/viewprofile', {}],
    ['another name of this machine', 421, '/healthz', { host: 'evil.example' }],
    ['another site', 403, '/api/users/signout', { method: 'POST', origin: 'https://evil.example' }],
    ['a broken body', 400, '/api/users/signin', { method: 'POST', 'content-type': 'application/json' }],
  ])('%s: %i', async (_case, status, url, { method = 'GET', ...headers }: Record<string, string>) => {
    const asked = { method, url, headers, ...(method === 'POST' && { payload: '{' }) } as InjectOptions;
    const answer = await test.app.inject(asked);
    expect([answer.statusCode, answer.headers]).toEqual([status, expect.objectContaining(expected)]);
    // Plain http must not promise https: a demo would be out of reach for two years.
    expect(answer.headers['strict-transport-security']).toBeUndefined();
  });

  it('and over https, that nothing else is asked for', () => {
    expect(securityHeaders('https://tallystick.example')['strict-transport-security']).toBe(
      'max-age=63072000; includeSubDomains',
    );
  });
});
