import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

const keyShape = /^[\x21-\x7e]{1,200}$/;

/** The client's name for this one submit; null when it sent none, and then the server makes one. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && keyShape.test(key)) return key;
  throw new AppError('invalid_request', 'Idempotency-Key: use 1 to 200 visible ASCII characters.');
}
