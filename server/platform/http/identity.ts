import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

/** Who a request of the investor scope comes from; its guard puts it there. */
export interface Identity {
  userId: string;
  sessionId: string;
}

/** Who a request of the operator scope comes from. */
export interface OperatorIdentity {
  operatorId: string;
  sessionId: string;
  name: string;
  email: string;
  expiresAt: Date;
}

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null;
    operator: OperatorIdentity | null;
  }
}

export function identityOf(request: FastifyRequest): Identity {
  if (!request.identity) throw new AppError('unauthenticated', 'Log in to go on.');
  return request.identity;
}

export function operatorOf(request: FastifyRequest): OperatorIdentity {
  if (!request.operator) throw new AppError('unauthenticated', 'Sign in to the console to go on.');
  return request.operator;
}

/** The specification sends a user id along; it has to be that of whoever asks. */
export function ownUserId(request: FastifyRequest, userid: string): string {
  const { userId } = identityOf(request);
  if (userid !== userId) throw new AppError('not_yours', 'This belongs to another account.');
  return userId;
}
