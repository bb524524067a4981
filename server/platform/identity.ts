import type { FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';

/** Who a request of the investor scope comes from; its guard puts it there. */
export interface Identity {
  userId: string;
  sessionId: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null;
  }
}

export function identityOf(request: FastifyRequest): Identity {
  if (!request.identity) throw new AppError('unauthenticated', 'Log in to go on.');
  return request.identity;
}

/** The specification sends a user id along; it has to be that of whoever asks. */
export function ownUserId(request: FastifyRequest, userid: string): string {
  const { userId } = identityOf(request);
  if (userid.toLowerCase() !== userId) throw new AppError('not_yours', 'This belongs to another account.');
  return userId;
}
