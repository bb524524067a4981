import type { ErrorCode } from '@tallystick/contract/errors';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import { type Clock, hourMs } from '../clock.ts';
import { takeFromQuota, throttledAddress } from '../http/throttle.ts';
import { type Db, inTransaction, type Tx } from '../postgres/db.ts';
import { type Actor, type AuditEntry, writeAudit } from './audit.ts';

/**
 * Refusals that tell of someone reaching for what is not theirs, or trying too often. A wrong password or code leaves its
 * own trace where it happens.
 */
const telling: readonly ErrorCode[] = [
  'cross_site',
  'not_yours',
  'second_operator_needed',
  'withdrawals_frozen',
  'address_wrong',
  'old_password_wrong',
  'email_unverified',
  'code_locked',
  'too_many_requests',
];

const perActor = { limit: 10, windowMs: hourMs };
const ofAllStrangers = { limit: 1000, windowMs: hourMs };

/** Whose refusals are counted together: those of a person, or of an address as long as nobody is signed in. */
function subjectOf({ actor, clientAddress }: AuditEntry): string {
  if (actor.kind !== 'nobody') return `${actor.kind} ${actor.id}`;
  return throttledAddress(clientAddress ?? 'unknown');
}

/**
 * Leaves a trace of a refusal, as long as there are not too many: nobody can fill the log by being refused. The last one
 * that is written says so.
 */
export async function writeRefusal(db: Db, entry: AuditEntry, now: Date): Promise<void> {
  const kind = [entry.action, entry.details?.code].filter(Boolean).join(' ');
  await inTransaction(db, async (tx: Tx) => {
    const own = { scope: 'refusal-audit', subject: `${subjectOf(entry)} ${kind}` };
    const taken = await takeFromQuota(tx, own, perActor, now);
    if (!taken.allowed) return;
    let last = taken.hits === perActor.limit;
    if (entry.actor.kind === 'nobody') {
      const all = await takeFromQuota(tx, { scope: 'refusal-audit', subject: 'all' }, ofAllStrangers, now);
      if (!all.allowed) return;
      last ||= all.hits === ofAllStrangers.limit;
    }
    const details = { ...entry.details, ...(last && { further: 'not written within the hour' }) };
    await writeAudit(tx, { ...entry, details }, now);
  });
}

function actorOf({ identity, operator }: FastifyRequest): Actor {
  if (operator) return { kind: 'operator', id: operator.operatorId };
  return identity ? { kind: 'investor', id: identity.userId } : { kind: 'nobody' };
}

/** An onError hook for every route. */
export function auditRefusals({ db, clock }: { db: Db; clock: Clock }) {
  return async (request: FastifyRequest, _reply: unknown, error: Error) => {
    if (!(error instanceof AppError) || !telling.includes(error.code)) return;
    const details = { code: error.code, route: request.routeOptions.url ?? '' };
    const { clientAddress } = request;
    const about = error.userid ? { subjectId: error.userid } : {};
    const entry = { actor: actorOf(request), action: 'request.refused', ...about, clientAddress, details };
    await writeRefusal(db, entry, clock.now()).catch((failure) => {
      // The refusal itself stands; a database that is away tells of itself elsewhere.
      request.log.warn({ err: failure }, 'a refusal left no trace');
    });
  };
}
