import type { FastifyReply, FastifyRequest } from 'fastify';
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

/** The token of `Authorization: Bearer …`. Null for any other header: it is nothing that we gave out. */
export function bearerOf({ headers }: FastifyRequest): string | null {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** A cookie that scripts cannot read and other sites cannot send. */
export interface SecretCookie {
  read(request: FastifyRequest): string | null;
  write(reply: FastifyReply, value: string): void;
  clear(reply: FastifyReply): void;
}

/**
 * Over https the `__Host-` prefix makes the browser itself refuse a cookie that a neighbouring host planted. Without an
 * age the cookie goes when the browser is closed.
 */
export function secretCookie(
  name: string,
  siteUrl: string,
  { ageSecondsMax }: { ageSecondsMax?: number } = {},
): SecretCookie {
  const secure = siteUrl.startsWith('https:');
  const fullName = secure ? `__Host-${name}` : name;
  const options = { httpOnly: true, sameSite: 'strict', path: '/', secure } as const;
  const kept = ageSecondsMax === undefined ? options : { ...options, maxAge: ageSecondsMax };
  return {
    read: (request) => request.cookies[fullName] || null,
    write: (reply, value) => void reply.setCookie(fullName, value, kept),
    clear: (reply) => void reply.clearCookie(fullName, options),
  };
}
