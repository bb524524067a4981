import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import { prune } from '../../../platform/postgres/prune.ts';

/** What is under way: `sign-in` and `passkey` in a browser, the others in a session. Operators' are called otherwise. */
export type FlowPurpose =
  | 'sign-in'
  | 'passkey'
  | 'step-up'
  | 'step-up-link'
  | 'new-passkey'
  | 'operator-sign-in'
  | 'operator-proof'
  | 'operator-passkey';

interface NewFlow {
  purpose: FlowPurpose;
  secretHash?: Buffer;
  userId?: string;
  sessionId?: string;
  operatorId?: string;
  operatorSessionId?: string;
  passwordMark?: Buffer;
  challenge?: string;
  now: Date;
  expiresAt: Date;
}

export async function insertFlow(tx: Db | Tx, flow: NewFlow): Promise<void> {
  await tx
    .insertInto('factor_flows')
    .values({
      purpose: flow.purpose,
      secret_hash: flow.secretHash ?? null,
      user_id: flow.userId ?? null,
      session_id: flow.sessionId ?? null,
      operator_id: flow.operatorId ?? null,
      operator_session_id: flow.operatorSessionId ?? null,
      password_mark: flow.passwordMark ?? null,
      challenge: flow.challenge ?? null,
      created_at: flow.now,
      expires_at: flow.expiresAt,
    })
    .execute();
}

export interface Flow {
  id: string;
  userId: string | null;
  operatorId: string | null;
  passwordMark: Buffer | null;
  challenge: string | null;
}

/** A session, of an investor or of the console. */
type SessionKey = { sessionId: string } | { operatorSessionId: string };

/** By what a flow is known: what the browser or the link holds, or the session. */
export type FlowKey = { secretHash: Buffer } | SessionKey;

const columns = [
  'id',
  'user_id as userId',
  'operator_id as operatorId',
  'password_mark as passwordMark',
  'challenge',
] as const;

function isOf(key: FlowKey) {
  if ('secretHash' in key) return sql<boolean>`secret_hash = ${key.secretHash}`;
  return 'sessionId' in key
    ? sql<boolean>`session_id = ${key.sessionId}`
    : sql<boolean>`operator_session_id = ${key.operatorSessionId}`;
}

export async function findFlow(
  db: Db | Tx,
  purpose: FlowPurpose,
  key: FlowKey,
  now: Date,
): Promise<Flow | null> {
  const row = await db
    .selectFrom('factor_flows')
    .select(columns)
    .where('purpose', '=', purpose)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where(isOf(key))
    .executeTakeFirst();
  return row ?? null;
}

/** A passkey that is asked once more signs something else: the older challenge counts no more. */
export async function setChallenge(tx: Tx, flowId: string, challenge: string): Promise<void> {
  await tx.updateTable('factor_flows').set({ challenge }).where('id', '=', flowId).execute();
}

/**
 * Counts one try at a flow and only then gives out what to compare with. What a passkey has to sign is given out once.
 * Null when the flow is over or was tried too often.
 */
export async function takeTry(
  tx: Tx,
  flowId: string,
  { byPasskey, triesMax, now }: { byPasskey: boolean; triesMax: number; now: Date },
): Promise<Flow | null> {
  const { rows } = await sql<Flow>`
    update factor_flows f set tries = f.tries + 1, challenge = case when ${byPasskey} then null else f.challenge end
    from (select id, challenge from factor_flows where id = ${flowId} for no key update) as before
    where f.id = before.id and f.ended_at is null and f.expires_at > ${now} and f.tries < ${triesMax}
    returning f.id, f.user_id as "userId", f.operator_id as "operatorId", f.password_mark as "passwordMark", before.challenge`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** Uses a flow up; null when another has, or it is over. */
export async function consumeFlow(
  tx: Tx,
  purpose: FlowPurpose,
  key: FlowKey,
  now: Date,
): Promise<Flow | null> {
  const row = await tx
    .updateTable('factor_flows')
    .set({ ended_at: now })
    .where('purpose', '=', purpose)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where(isOf(key))
    .returning(columns)
    .executeTakeFirst();
  return row ?? null;
}

export async function endFlow(tx: Tx, flowId: string, now: Date): Promise<void> {
  await tx.updateTable('factor_flows').set({ ended_at: now }).where('id', '=', flowId).execute();
}

/** What a session has begun before of the same kind. */
export async function endFlowsOfSession(
  tx: Tx,
  purpose: FlowPurpose,
  session: SessionKey,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('factor_flows')
    .set({ ended_at: now })
    .where('purpose', '=', purpose)
    .where(isOf(session))
    .where('ended_at', 'is', null)
    .execute();
}

export async function deleteFlowsBefore(db: Db, before: Date): Promise<void> {
  await prune(db, 'factor_flows', sql`expires_at < ${before}`);
}
