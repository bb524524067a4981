import type { FastifyRequest } from 'fastify';
import { expect, it, vi } from 'vitest';
import { AppError } from '../../../platform/app-error.ts';
import type { Users } from '../../users/service.ts';
import { operatorGuard } from './routes.ts';

const operator = { operatorId: 'o1' };
const guardOf = (authenticate: () => Promise<object>) => {
  const asked = vi.fn(authenticate);
  const users = { authenticateOperator: asked } as unknown as Users;
  return { asked, guard: operatorGuard({ users, siteUrl: 'https://tally.example' }) };
};
const requestOf = (headers: object, cookies: object) =>
  ({ operator: null, headers, cookies }) as FastifyRequest;

it('only its own cookie opens the console: an investor’s token and cookie are not looked at', async () => {
  const { asked, guard } = guardOf(async () => operator);
  const cookies = { '__Host-operator-session': 'xyz', '__Host-session': 'an investor’s' };
  const request = requestOf({ authorization: 'Bearer abc' }, cookies);
  await guard(request);
  expect(asked).toHaveBeenLastCalledWith({ cookie: 'xyz', background: false });
  expect(request.operator).toBe(operator);
  await guard(requestOf({ 'x-background-read': '1' }, { session: 'x', 'operator-session': 'planted' }));
  expect(asked).toHaveBeenLastCalledWith({ cookie: null, background: true });
});

it('nobody passes whom it does not know', async () => {
  const nobody = new AppError('unauthenticated', 'Sign in to the console to go on.');
  const request = requestOf({}, {});
  await expect(guardOf(() => Promise.reject(nobody)).guard(request)).rejects.toBe(nobody);
  expect(request.operator).toBeNull();
});
