import { sql } from 'kysely';
import type { Tx } from '../../platform/postgres/db.ts';

/** Whose requests these are and which way they come in; neither ever changes, so nothing is locked to know it. */
export async function ownersOf(tx: Tx, requestIds: string[]) {
  return tx
    .selectFrom('funding_requests')
    .select(['id', 'user_id as userId', 'method_id as methodId'])
    .where('id', 'in', requestIds)
    .execute();
}

const sumsBy = (rows: { who: string; cents: bigint }[]) =>
  new Map(rows.map(({ who, cents }) => [who, cents]));

/** What was confirmed for each of these investors, by whomever. */
export async function confirmedFor(tx: Tx, userIds: string[], since: Date): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ who: string; cents: bigint }>`
    select user_id as who, sum(received_cents)::bigint as cents from funding_requests
    where user_id = any (${userIds}::uuid[]) and status = 'confirmed' and decided_at > ${since}
    group by user_id`.execute(tx);
  return sumsBy(rows);
}

/** What each of these operators confirmed without a second one. */
export async function confirmedAlone(tx: Tx, operators: string[], since: Date): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ who: string; cents: bigint }>`
    select decided_by as who, sum(received_cents)::bigint as cents from funding_requests
    where decided_by = any (${operators}::text[]) and status = 'confirmed' and first_confirmed_by is null
      and decided_at > ${since}
    group by decided_by`.execute(tx);
  return sumsBy(rows);
}
