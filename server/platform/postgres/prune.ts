import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';
import type { DB as Schema } from './schema.ts';

/** So few that nobody waits for them. */
export const pruneRowsMax = 1_000;

/** Again and again, each time in a transaction of its own, until there was less to do than could be done. */
export async function untilDone(some: (rowsMax: number) => Promise<number>): Promise<number> {
  let all = 0;
  for (;;) {
    const gone = await some(pruneRowsMax);
    all += gone;
    if (gone < pruneRowsMax) return all;
  }
}

/**
 * Deletes what has come to its end, a little at a time. The condition is asked twice: of a row that has changed between
 * being found and being deleted, once more. Two servers that do it at once find nothing that the other has deleted.
 */
export function prune(db: Db, table: keyof Schema, isOver: RawBuilder<unknown>): Promise<number> {
  return untilDone(async (rowsMax) => {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ${isOver} and ctid = any(array(
        select ctid from ${sql.table(table)} where ${isOver} limit ${rowsMax}))`.execute(db);
    return Number(numAffectedRows);
  });
}
