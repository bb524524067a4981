import { sql } from 'kysely';
import { openDatabase } from './opened.ts';

/** A database with a table that has nothing to do with money, which is written and looked at. */
export async function openNotches() {
  const { db, ...rest } = await openDatabase();
  await sql`create table notches (name text primary key)`.execute(db);
  return {
    db,
    ...rest,
    notches: async () =>
      (await sql<{ name: string }>`select name from notches order by name`.execute(db)).rows.map(
        ({ name }) => name,
      ),
    clear: () => sql`truncate notches`.execute(db),
  };
}
