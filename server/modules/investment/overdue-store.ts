import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/db.ts';

/** Whoever is told of so many does not need the rest. */
const countedMax = 10_000;

/** How many have matured and are not paid yet, and how long the oldest of them has been so. */
export async function overdueInvestments(
  db: Db,
  givenTime: Date | null,
): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await sql<{ count: number; oldestSeconds: number }>`
    select count(*)::int as count,
      coalesce(max(extract(epoch from coalesce(${givenTime}::timestamptz, now()) - matures_at)), 0)::float8
        as "oldestSeconds"
    from (select matures_at from investments
      where settled_at is null and matures_at <= coalesce(${givenTime}::timestamptz, now())
      order by matures_at limit ${countedMax}) as due`.execute(db);
  return rows[0] ?? { count: 0, oldestSeconds: 0 };
}
