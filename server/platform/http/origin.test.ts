import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { AppError } from '../app-error.ts';
import { isLoopbackUrl, refuseCrossSite, refuseOtherHosts, refuseUnclearHost } from './origin.ts';

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** What a hook says to a request: null when it lets it pass. */
function said(hook: Hook, request: object): string | null {
  let passed = false;
  try {
    hook(request as FastifyRequest, {} as FastifyReply, () => {
      passed = true;
    });
  } catch (error) {
    if (error instanceof AppError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return passed ? null : 'neither passed nor refused';
}

describe('an address of this machine', () => {
  it.each(['http://127.0.0.1:3000', 'http://localhost', 'https://[::1]:8443/x'])('is %s', (url) => {
    expect(isLoopbackUrl(url)).toBe(true);
  });
  it.each(['http://127.0.0.2', 'https://tally.example', 'http://localhost.example', 'http://[::2]'])(
    'is not %s',
    (url) => {
      expect(isLoopbackUrl(url)).toBe(false);
    },
  );
});

describe('a demo', () => {
  const hook = refuseOtherHosts('http://127.0.0.1:3000');
  const asked = (host?: string) => said(hook, { headers: { host } });

  it.each(['127.0.0.1', '127.0.0.1:3000', 'localhost:1', 'LocalHost:65535', '[::1]', '[::1]:3000'])(
    'answers to %s',
    (host) => {
      expect(asked(host)).toBeNull();
    },
  );
  it.each([
    undefined,
    '',
    ':3000',
    'evil.example',
    'evil.example:3000',
    '127.0.0.1.evil.example',
    '127.0.0.1:3000.evil.example',
    'localhost:',
    'localhost:x',
    'x[::1]',
    '[::1',
    '::1',
    '[::1]x',
    'user@localhost',
  ])('does not answer to %s', (host) => {
    expect(asked(host)).toBe(
      'misdirected: This demo answers on its own machine only: open http://127.0.0.1:3000.',
    );
  });
});

it('a request names its host, as HTTP has wanted since 1.1, and one alone', () => {
  const asked = (host: string | undefined, httpVersion: string, rawHeaders: string[] = []) =>
    said(refuseUnclearHost, { headers: { host }, raw: { httpVersion, rawHeaders } });
  expect(asked('one.example', '1.1', ['Host', 'one.example', 'hOst', 'other.example'])).toBe(
    'invalid_request: The request names several hosts.',
  );
  expect(asked('one.example', '1.1', ['Host', 'one.example', 'X-Host', 'host', 'From', 'host'])).toBe(null);
  expect(asked(undefined, '1.1')).toBe('invalid_request: The request names no host.');
  expect([asked('tally.example', '1.1'), asked('', '1.1'), asked(undefined, '1.0')]).toEqual([
    null,
    null,
    null,
  ]);
});

describe('an act', () => {
  const hook = refuseCrossSite('https://tally.example/');
  const refused = 'cross_site: This request came from another site and was refused.';
  const own = 'https://tally.example';
  const cookie = 'session=x';
  const authorization = 'Bearer abc';
  const asked = (headers: object, scope = 'investor', method = 'POST') =>
    said(hook, { method, headers, routeOptions: { config: { scope } } });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'by %s from another site is refused in every scope',
    (method) => {
      for (const scope of ['public', 'investor', 'operator', undefined])
        for (const site of ['cross-site', 'same-site', 'none'])
          expect(asked({ 'sec-fetch-site': site, origin: own, authorization }, scope, method)).toBe(refused);
    },
  );
  it.each(['GET', 'HEAD', 'OPTIONS'])(
    'that only reads, by %s, is for the browser to keep to itself',
    (method) => {
      expect(asked({ 'sec-fetch-site': 'cross-site', cookie }, 'investor', method)).toBeNull();
    },
  );
  it('from another site is refused although it does not name its origin, or brings no cookie', () => {
    for (const headers of [{}, { cookie }, { cookie, authorization }])
      for (const scope of ['public', 'investor', 'operator'])
        expect(asked({ ...headers, 'sec-fetch-site': 'cross-site' }, scope)).toBe(refused);
  });
  it('of our own pages passes', () => {
    expect(asked({ 'sec-fetch-site': 'same-origin', cookie })).toBeNull();
    expect(asked({ origin: own, cookie })).toBeNull();
  });
  it('is judged by what the browser itself says, where it says it', () => {
    expect(asked({ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example', cookie })).toBeNull();
    expect(asked({ 'sec-fetch-site': 'cross-site', origin: own, cookie })).toBe(refused);
    for (const origin of ['https://evil.example', 'null', 'http://tally.example', `${own}.evil.example`])
      expect(asked({ origin, authorization }, 'public')).toBe(refused);
  });
  it('of a script passes on public calls, and on an investor’s with the bearer token', () => {
    expect(asked({ cookie }, 'public')).toBeNull();
    expect(asked({ cookie, authorization })).toBeNull();
  });
  it('of a script with a cookie alone is refused, and on the console whatever it brings', () => {
    expect(asked({ cookie })).toBe(refused);
    expect(asked({ cookie, authorization: 'Basic abc' })).toBe(refused);
    expect(asked({ cookie, authorization }, 'operator')).toBe(refused);
    expect(asked({ cookie }, 'operator')).toBe(refused);
  });
  it('of a script without a session is left to the guard', () => {
    expect([asked({}), asked({}, 'operator')]).toEqual([null, null]);
    expect(asked({ origin: 'https://evil.example' })).toBe(refused);
  });
});
