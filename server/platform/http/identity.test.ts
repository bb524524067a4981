import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../app-error.ts';
import { bearerOf, identityOf, operatorOf, ownUserId, secretCookie } from './identity.ts';

const requestOf = (request: object) =>
  ({ identity: null, operator: null, headers: {}, cookies: {}, ...request }) as FastifyRequest;
const refusalOf = (act: () => unknown) => {
  try {
    return { did: act() };
  } catch (error) {
    return error instanceof AppError ? [error.code, error.message] : error;
  }
};
const identity = { userId: 'u1', sessionId: 's1' };

describe('who asks', () => {
  it('is whom the guard of its scope has found', () => {
    expect(identityOf(requestOf({ identity }))).toBe(identity);
    const operator = { operatorId: 'o1' };
    expect(operatorOf(requestOf({ operator }))).toBe(operator);
  });
  it('is nobody where that guard has found none, whoever the other has found', () => {
    expect(refusalOf(() => identityOf(requestOf({ operator: { operatorId: 'o1' } })))).toEqual([
      'unauthenticated',
      'Log in to go on.',
    ]);
    expect(refusalOf(() => operatorOf(requestOf({ identity })))).toEqual([
      'unauthenticated',
      'Sign in to the console to go on.',
    ]);
  });
  it('acts on their own account alone', () => {
    expect(ownUserId(requestOf({ identity }), 'u1')).toBe('u1');
    expect(refusalOf(() => ownUserId(requestOf({ identity }), 'u2'))).toEqual([
      'not_yours',
      'This belongs to another account.',
    ]);
    expect(refusalOf(() => ownUserId(requestOf({}), 'u1'))).toMatchObject([
      'unauthenticated',
      expect.anything(),
    ]);
  });
});

describe('a bearer token', () => {
  const read = (authorization?: string) => bearerOf(requestOf({ headers: { authorization } }));

  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER   A-Z.0_9~+/==', 'A-Z.0_9~+/=='],
  ])('of %j is %j', (header, token) => {
    expect(read(header)).toBe(token);
  });
  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearerabc',
    'Basic abc',
    'x Bearer abc',
    'Bearer abc def',
    'Bearer abc, Bearer def',
    'Bearer ab=c',
    'Bearer =',
    'Bearer "abc"',
    'Bearer ä',
  ])('is in %j none', (header) => {
    expect(read(header)).toBeNull();
  });
});

describe('a secret cookie', () => {
  const written = (siteUrl: string, options?: { ageSecondsMax: number }) => {
    const reply = { setCookie: vi.fn(), clearCookie: vi.fn() };
    const cookie = secretCookie('session', siteUrl, options);
    cookie.write(reply as unknown as FastifyReply, 'secret');
    cookie.clear(reply as unknown as FastifyReply);
    return [reply.setCookie.mock.calls[0], reply.clearCookie.mock.calls[0]];
  };
  const plain = { httpOnly: true, sameSite: 'strict', path: '/', secure: false };

  it('is kept from scripts and other sites, and over https from other hosts and plain http', () => {
    const secure = { ...plain, secure: true };
    expect(written('https://tally.example')).toEqual([
      ['__Host-session', 'secret', secure],
      ['__Host-session', secure],
    ]);
    expect(written('http://127.0.0.1:3000')).toEqual([
      ['session', 'secret', plain],
      ['session', plain],
    ]);
  });
  it('stays as long as it may, and is cleared at once', () => {
    expect(written('http://127.0.0.1', { ageSecondsMax: 60 })).toEqual([
      ['session', 'secret', { ...plain, maxAge: 60 }],
      ['session', plain],
    ]);
    expect(written('http://127.0.0.1', { ageSecondsMax: 0 })[0]?.[2]).toMatchObject({ maxAge: 0 });
  });
  it('is read by its full name alone', () => {
    const cookie = secretCookie('session', 'https://tally.example');
    expect(cookie.read(requestOf({ cookies: { '__Host-session': 'secret' } }))).toBe('secret');
    expect(cookie.read(requestOf({ cookies: { session: 'planted', '__Host-session': '' } }))).toBeNull();
    expect(cookie.read(requestOf({}))).toBeNull();
  });
});
