import { sql } from 'kysely';
import type { Tx } from '../../platform/postgres/db.ts';

/** Whose withdrawals these are and where they go; neither ever changes, so nothing is locked to know it. */
export async function destinationsOf(tx: Tx, ids: string[]) {
  return tx
    .selectFrom('withdrawals')
    .select(['id', 'user_id as userId', 'address', 'network'])
    .where('id', 'in', ids)
    .execute();
}

export async function idsNamed(tx: Tx, transactionids: string[]): Promise<string[]> {
  if (transactionids.length === 0) return [];
  const rows = await tx
    .selectFrom('withdrawals')
    .select('id')
    .where('transactionid', 'in', transactionids)
    .execute();
  return rows.map(({ id }) => id);
}

const sumsBy = (rows: { who: string; cents: bigint }[]) =>
  new Map(rows.map(({ who, cents }) => [who, cents]));

/** What was approved, paid since or not, for each of these investors. */
export async function approvedFor(tx: Tx, userIds: string[], since: Date): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ who: string; cents: bigint }>`
    select user_id as who, sum(amount_cents)::bigint as cents from withdrawals
    where user_id = any (${userIds}::uuid[]) and approved_at > ${since} and status in ('approved', 'paid')
    group by user_id`.execute(tx);
  return sumsBy(rows);
}

/** The same to each of these addresses, given in small letters, for whomever and over whichever way out. */
export async function approvedTo(tx: Tx, addresses: string[], since: Date): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ who: string; cents: bigint }>`
    select lower(address) as who, sum(amount_cents)::bigint as cents from withdrawals
    where lower(address) = any (${addresses}::text[]) and approved_at > ${since} and status in ('approved', 'paid')
    group by lower(address)`.execute(tx);
  return sumsBy(rows);
}

/** What each of these operators approved without a second one. */
export async function approvedAlone(tx: Tx, operators: string[], since: Date): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ who: string; cents: bigint }>`
    select approved_by as who, sum(amount_cents)::bigint as cents from withdrawals
    where approved_by = any (${operators}::text[]) and first_approved_by is null and approved_at > ${since}
      and status in ('approved', 'paid')
    group by approved_by`.execute(tx);
  return sumsBy(rows);
}
