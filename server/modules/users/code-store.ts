import type { CodePurpose } from '@tallystick/contract/users';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import { prune } from '../../platform/postgres/prune.ts';
import type { CodeOf } from './rules.ts';

interface NewCode extends CodeOf {
  codeHmac: Buffer;
  linkHash: Buffer;
  issuedAt: Date;
  codeExpiresAt: Date;
  linkExpiresAt: Date;
}

/** A new code takes the place of the open one; the unique index on open codes lets no second stand. */
export async function replaceCode(tx: Tx, code: NewCode): Promise<void> {
  await closeCodesOf(tx, code.userId, code.purpose, code.issuedAt);
  await tx
    .insertInto('codes')
    .values({
      user_id: code.userId,
      purpose: code.purpose,
      flow_id: code.flowId,
      code_hmac: code.codeHmac,
      link_hash: code.linkHash,
      issued_at: code.issuedAt,
      code_expires_at: code.codeExpiresAt,
      link_expires_at: code.linkExpiresAt,
    })
    .execute();
}

export async function closeCodesOf(tx: Tx, userId: string, purpose: CodePurpose, now: Date): Promise<void> {
  await tx
    .updateTable('codes')
    .set({ closed_at: now })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('closed_at', 'is', null)
    .execute();
}

export async function issuedSince(db: Db | Tx, userId: string, purpose: CodePurpose, since: Date) {
  const row = await db
    .selectFrom('codes')
    .select((eb) => [
      eb.fn.max('issued_at').as('lastIssuedAt'),
      eb.fn.min('issued_at').as('firstIssuedAt'),
      eb.fn.countAll<bigint>().as('issued'),
    ])
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('issued_at', '>', since)
    .executeTakeFirstOrThrow();
  return {
    lastIssuedAt: row.lastIssuedAt as Date | null,
    firstIssuedAt: row.firstIssuedAt as Date | null,
    issuedToday: Number(row.issued),
  };
}

interface OpenCode extends CodeOf {
  triesMax: number;
  now: Date;
}

/** Whether there is a code that could still be tried. */
export async function hasOpenCode(db: Db, open: OpenCode): Promise<boolean> {
  const row = await db
    .selectFrom('codes')
    .select('id')
    .where('user_id', '=', open.userId)
    .where('purpose', '=', open.purpose)
    .where('flow_id', 'is not distinct from', open.flowId)
    .where('closed_at', 'is', null)
    .where('code_expires_at', '>', open.now)
    .where('tries', '<', open.triesMax)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Counts one try on the open code and only then gives out what to compare with: a try that was not counted can
 * never be compared. Null when there is no open code, it has expired or its tries are used up.
 */
export async function countTry(tx: Tx, open: OpenCode): Promise<{ id: string; codeHmac: Buffer } | null> {
  const row = await tx
    .updateTable('codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('user_id', '=', open.userId)
    .where('purpose', '=', open.purpose)
    .where('flow_id', 'is not distinct from', open.flowId)
    .where('closed_at', 'is', null)
    .where('code_expires_at', '>', open.now)
    .where('tries', '<', open.triesMax)
    .returning(['id', 'code_hmac as codeHmac'])
    .executeTakeFirst();
  return row ?? null;
}

/** Closes an open code; false when another request has done so already. */
export async function closeCode(tx: Tx, codeId: string, now: Date): Promise<boolean> {
  const result = await tx
    .updateTable('codes')
    .set({ closed_at: now })
    .where('id', '=', codeId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function findLinkOwner(tx: Tx, linkHash: Buffer, purpose: CodePurpose): Promise<string | null> {
  const row = await tx
    .selectFrom('codes')
    .select('user_id')
    .where('link_hash', '=', linkHash)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Uses up the long link, atomically. */
export async function consumeLink(
  tx: Tx,
  linkHash: Buffer,
  purpose: CodePurpose,
  now: Date,
): Promise<string | null> {
  const row = await tx
    .updateTable('codes')
    .set({ closed_at: now })
    .where('link_hash', '=', linkHash)
    .where('purpose', '=', purpose)
    .where('closed_at', 'is', null)
    .where('link_expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id ?? null;
}

interface NewFlow {
  userId: string;
  secretHash: Buffer;
  now: Date;
  expiresAt: Date;
  verifiedAt: Date | null;
}

export async function insertFlow(tx: Tx, flow: NewFlow): Promise<string> {
  const row = await tx
    .insertInto('reset_flows')
    .values({
      user_id: flow.userId,
      secret_hash: flow.secretHash,
      created_at: flow.now,
      expires_at: flow.expiresAt,
      verified_at: flow.verifiedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

interface Flow {
  id: string;
  userId: string;
  verifiedAt: Date | null;
}

/** The flow that this browser holds, if it is still open. */
export async function findFlow(db: Db | Tx, secretHash: Buffer, now: Date): Promise<Flow | null> {
  const row = await db
    .selectFrom('reset_flows')
    .select(['id', 'user_id as userId', 'verified_at as verifiedAt'])
    .where('secret_hash', '=', secretHash)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row ?? null;
}

export async function markFlowVerified(tx: Tx, flowId: string, now: Date): Promise<void> {
  await tx.updateTable('reset_flows').set({ verified_at: now }).where('id', '=', flowId).execute();
}

/** Uses up a verified flow, atomically; false when it was used already. */
export async function consumeFlow(tx: Tx, flowId: string, now: Date): Promise<boolean> {
  const result = await tx
    .updateTable('reset_flows')
    .set({ consumed_at: now })
    .where('id', '=', flowId)
    .where('verified_at', 'is not', null)
    .where('consumed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** After a reset no other flow of that person may still set a password. */
export async function closeFlowsOf(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable('reset_flows')
    .set({ consumed_at: now })
    .where('user_id', '=', userId)
    .where('consumed_at', 'is', null)
    .execute();
}

export async function deleteCodesBefore(db: Db, before: Date): Promise<void> {
  await prune(db, 'codes', sql`issued_at < ${before}`);
  await prune(db, 'reset_flows', sql`expires_at < ${before}`);
}
