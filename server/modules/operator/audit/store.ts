import type { ActorKind } from '@tallystick/contract/operator/audit';
import { type RawBuilder, sql } from 'kysely';
import type { ReadDb } from '../../../platform/postgres/db.ts';
import type { JsonObject } from '../../../platform/postgres/schema.ts';

export interface AuditFilter {
  actorKind: ActorKind | undefined;
  /** The beginning of an action. */
  action: string | undefined;
  /** An id, a name or an address of who did it or whom it is about. */
  search: string | undefined;
  from: Date | null;
  before: Date | null;
}

export interface AuditEntryRow {
  id: bigint;
  at: Date;
  actorKind: ActorKind;
  actorId: string | null;
  actorName: string | null;
  action: string;
  subjectId: string | null;
  subjectName: string | null;
  clientAddress: string | null;
  details: JsonObject;
}

const likeEscaped = (text: string) => text.replace(/[\\%_]/g, (character) => `\\${character}`);

/** Some ids are words, such as the name of a sample operator in a test: those are nobody's. */
const asUuid = (column: RawBuilder<unknown>) =>
  sql`substring(${column} from '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$')::uuid`;

function matching({ actorKind, action, search, from, before }: AuditFilter) {
  const part = search?.trim() ? `%${likeEscaped(search.trim())}%` : null;
  const begins = action?.trim() ? `${likeEscaped(action.trim())}%` : null;
  return sql`(${actorKind ?? null}::text is null or l.actor_kind = ${actorKind ?? null})
    and (${begins}::text is null or l.action like ${begins})
    and (${from}::timestamptz is null or l.at >= ${from}) and (${before}::timestamptz is null or l.at < ${before})
    and (${part}::text is null or l.actor_id ilike ${part} or l.subject_id ilike ${part}
      or l.details::text ilike ${part} or au.fullname ilike ${part} or au.email ilike ${part}
      or ao.name ilike ${part} or su.fullname ilike ${part} or su.email ilike ${part} or so.name ilike ${part})`;
}

/** Of an account that was closed neither the name nor, one day, the address is left. */
const left = (who: 'au' | 'su') =>
  sql`case when ${sql.ref(`${who}.closed_at`)} is not null then 'Closed account' end`;

/** Newest first, from below a number on, with the names of the people concerned. */
export async function auditEntries(
  db: ReadDb,
  filter: AuditFilter,
  { below, limit }: { below: bigint | null; limit: number },
): Promise<AuditEntryRow[]> {
  const { rows } = await sql<AuditEntryRow>`
    select l.id, l.at, l.actor_kind as "actorKind", l.actor_id as "actorId",
      coalesce(ao.name, nullif(au.fullname, ''), nullif(au.email, ''), ${left('au')}) as "actorName", l.action, l.subject_id as "subjectId",
      coalesce(so.name, nullif(su.fullname, ''), nullif(su.email, ''), ${left('su')}) as "subjectName",
      l.client_address as "clientAddress", l.details
    from audit_log l
    left join users au on au.id = ${asUuid(sql.ref('l.actor_id'))}
    left join operators ao on ao.id = ${asUuid(sql.ref('l.actor_id'))}
    left join users su on su.id = ${asUuid(sql.ref('l.subject_id'))}
    left join operators so on so.id = ${asUuid(sql.ref('l.subject_id'))}
    where (${below}::bigint is null or l.id < ${below}) and ${matching(filter)}
    order by l.id desc limit ${limit}`.execute(db);
  return rows;
}
