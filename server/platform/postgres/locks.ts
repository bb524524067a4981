import { sql } from 'kysely';
import type { Tx } from './db.ts';

/**
 * Lets one transaction at a time decide about each of these things, on whichever server: who had to wait here sees what
 * the one before has written. All at once and in the order of the locks' numbers, so that nobody waits in a circle.
 */
export async function lockNames(tx: Tx, names: string[]): Promise<void> {
  if (names.length === 0) return;
  await sql`
    select pg_advisory_xact_lock(number) from (
      select distinct hashtextextended(name, 0) as number from unnest(${names}::text[]) as t (name) order by number
    ) as numbers`.execute(tx);
}
