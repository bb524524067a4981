import type { ErrorCode } from '@tallystick/contract/errors';
import type { FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';
import { type Actor, writeAudit } from './audit.ts';
import type { Clock } from './clock.ts';
import type { Db } from './db.ts';

/** Someone who is signed in reached for what is not theirs. Failed sign-ins leave their own traces where they happen. */
const telling: readonly ErrorCode[] = ['not_yours', 'second_operator_needed', 'old_password_wrong'];

function actorOf({ identity, operator }: FastifyRequest): Actor {
  if (operator) return { kind: 'operator', id: operator.operatorId };
  return identity ? { kind: 'investor', id: identity.userId } : { kind: 'nobody' };
}

/** An onError hook for the guarded scopes. */
export function auditRefusals({ db, clock }: { db: Db; clock: Clock }) {
  return async (request: FastifyRequest, _reply: unknown, error: Error) => {
    if (!(error instanceof AppError) || !telling.includes(error.code)) return;
    const details = { code: error.code, route: request.routeOptions.url ?? '' };
    const entry = {
      actor: actorOf(request),
      action: 'request.refused',
      clientAddress: request.clientAddress,
      details,
    };
    await writeAudit(db, entry, clock.now());
  };
}
