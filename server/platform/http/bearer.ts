import type { FastifyRequest } from 'fastify';

/** The token of `Authorization: Bearer …`. Null for any other header: it is nothing that we gave out. */
export function bearerOf({ headers }: FastifyRequest): string | null {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}
