import type { FastifyRequest } from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../platform/app-error.ts';
import { investorGuard, investorIfAny } from './routes.ts';
import type { Users } from './service.ts';

const siteUrl = 'https://tally.example';
const identity = { userId: 'u1', sessionId: 's1' };
const requestOf = (headers: object = {}, cookies: object = {}) =>
  ({ identity: null, headers, cookies }) as FastifyRequest;
const usersWho = (authenticate: () => Promise<object>) => {
  const asked = vi.fn(authenticate);
  return { asked, needs: { siteUrl, users: { authenticate: asked } as unknown as Users } };
};

describe('the guard of the investor scope', () => {
  it('asks who it is with what the request brings, and puts that down', async () => {
    const { asked, needs } = usersWho(async () => identity);
    const request = requestOf(
      { authorization: 'Bearer abc' },
      { '__Host-session': 'xyz', session: 'planted' },
    );
    await investorGuard(needs)(request);
    expect(asked).toHaveBeenLastCalledWith({ bearer: 'abc', cookie: 'xyz', background: false });
    expect(request.identity).toBe(identity);
    await investorGuard(needs)(requestOf({ 'x-background-read': '' }));
    expect(asked).toHaveBeenLastCalledWith({ bearer: null, cookie: null, background: true });
  });
  it('lets nobody pass whom it does not know', async () => {
    const nobody = new AppError('unauthenticated', 'Log in to go on.');
    const { needs } = usersWho(() => Promise.reject(nobody));
    const request = requestOf();
    await expect(investorGuard(needs)(request)).rejects.toBe(nobody);
    expect(request.identity).toBeNull();
  });
});

describe('where everybody may read', () => {
  const passed = (error: Error) => {
    const request = requestOf();
    return investorIfAny(usersWho(() => Promise.reject(error)).needs)(request).then(() => request.identity);
  };

  it('an investor is known', async () => {
    const request = requestOf();
    await investorIfAny(usersWho(async () => identity).needs)(request);
    expect(request.identity).toBe(identity);
  });
  it('nobody is refused for being nobody', async () => {
    expect(await passed(new AppError('unauthenticated', 'Log in to go on.'))).toBeNull();
  });
  it('what went wrong is not taken for nobody', async () => {
    for (const error of [new Error('the database is away'), new AppError('too_many_requests', 'Wait.')])
      await expect(passed(error)).rejects.toBe(error);
    const alike = Object.assign(new Error('alike'), { code: 'unauthenticated' });
    await expect(passed(alike)).rejects.toBe(alike);
  });
});
