import { sql } from 'kysely';
import type { Tx } from '../../platform/postgres/db.ts';

export interface AuditHead {
  upTo: bigint;
  entries: bigint;
  head: Buffer;
}

export async function lastHead(tx: Tx): Promise<AuditHead | null> {
  const { rows } = await sql<AuditHead>`
    select up_to as "upTo", entries, head from proof_audit_heads order by up_to desc limit 1`.execute(tx);
  return rows[0] ?? null;
}

/** An entry of the audit log as it is hashed: every column, in the database's own spelling. */
export type AuditFields = [id: string, ...rest: (string | null)[]];

export async function auditAfter(
  tx: Tx,
  { after, upTo }: { after: bigint; upTo: bigint },
  limit: number,
): Promise<AuditFields[]> {
  const { rows } = await sql<{ fields: AuditFields }>`
    select array[id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), actor_kind, actor_id, action,
      subject_id, client_address, details::text] as fields
    from audit_log where id > ${after}::bigint and id <= ${upTo}::bigint order by id limit ${limit}`.execute(
    tx,
  );
  return rows.map(({ fields }) => fields);
}

export async function insertHead(tx: Tx, { upTo, entries, head }: AuditHead, entryId: bigint): Promise<void> {
  await tx
    .insertInto('proof_audit_heads')
    .values({ up_to: upTo, entries, head, entry_id: entryId })
    .execute();
}
