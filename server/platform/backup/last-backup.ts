import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../postgres/db.ts';

/** How long the database remembers that there was one. */
const remembered = '90 days';

/** Said by whoever made it, as the owner: the server itself can only read it. */
export async function noteBackup(
  owner: pg.ClientBase,
  { kind, asOf }: { kind: 'base' | 'dump' | 'other'; asOf: string | null },
): Promise<void> {
  await owner.query('insert into backups (kind, as_of) values ($1, coalesce($2, now()))', [kind, asOf]);
  await owner.query(`delete from backups where as_of < now() - interval '${remembered}'`);
}

/** The moment up to which the newest backup has everything; null when none was noted. */
export async function lastBackup(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select max(as_of) as at from backups`.execute(db);
  return rows[0]?.at ?? null;
}
