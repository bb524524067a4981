import type { SwitchableTopic } from '@tallystick/contract/notices';
import { sql } from 'kysely';
import type { Db, ReadDb, Tx } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import { prune } from '../../platform/postgres/prune.ts';

export interface NoticeRow {
  id: string;
  kind: string;
  title: string;
  line: string;
  transactionid: string | null;
  at: Date;
  readAt: Date | null;
}

const columns = ['id', 'kind', 'title', 'line', 'transactionid', 'at', 'read_at as readAt'] as const;

/** Shared by all who write notices, and held alone by who closes an account: no rows of users have to be marked for that. */
const writing = 'notices';

/** Whoever has closed the account meanwhile has nowhere to read them; who is closing it at this moment is waited for. */
export async function insertNotices(
  tx: Tx,
  rows: (Omit<NoticeRow, 'readAt'> & { userId: string })[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${writing}, 0))`.execute(tx);
  await sql`
    insert into notices (id, user_id, kind, title, line, transactionid, at)
    select n.id, n."userId", n.kind, n.title, n.line, n.transactionid, n.at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n
      (id uuid, "userId" uuid, kind text, title text, line text, transactionid text, at timestamptz)
    where not exists (select from users u where u.id = n."userId" and u.closed_at is not null)`.execute(tx);
}

const noticesOf = (db: ReadDb, userId: string) => db.selectFrom('notices').where('user_id', '=', userId);

/** Newest first. */
export async function noticesBefore(
  db: ReadDb,
  userId: string,
  before: string | null,
  limit: number,
): Promise<NoticeRow[]> {
  const query = noticesOf(db, userId).select(columns).orderBy('id', 'desc').limit(limit);
  return (before === null ? query : query.where('id', '<', before)).execute();
}

export async function hasNotice(db: ReadDb, userId: string, id: string): Promise<boolean> {
  const found = await noticesOf(db, userId).select('id').where('id', '=', id).executeTakeFirst();
  return found !== undefined;
}

/** Counted no further than anybody is told. */
export async function countUnread(db: ReadDb, userId: string, most: number): Promise<number> {
  const some = noticesOf(db, userId).select('id').where('read_at', 'is', null).limit(most).as('some');
  const row = await db
    .selectFrom(some)
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

interface Marked {
  userId: string;
  ids: string[];
  olderThan: string | null;
  now: Date;
}

export async function markRead(db: Db, { userId, ids, olderThan, now }: Marked): Promise<void> {
  await db
    .updateTable('notices')
    .set({ read_at: now })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .where((eb) => {
      const named = eb('id', '=', sql<string>`any(${ids}::uuid[])`);
      return olderThan === null ? named : eb.or([named, eb('id', '<', olderThan)]);
    })
    .execute();
}

export interface LettersOff {
  userId: string;
  topic: string;
  since: Date;
}

export async function lettersOff(db: ReadDb, userIds: string[]): Promise<LettersOff[]> {
  return db
    .selectFrom('letters_off')
    .select(['user_id as userId', 'topic', 'since'])
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .execute();
}

/** True when it was on. Who is closing the account at this moment is waited for: then there is nobody to write to. */
export async function switchOff(tx: Tx, userId: string, topic: SwitchableTopic, now: Date): Promise<boolean> {
  const { rows } = await sql<{ topic: string }>`
    insert into letters_off (user_id, topic, since)
    select u.id, ${topic}, ${now}::timestamptz from users u
    where u.id = ${userId} and u.closed_at is null for share of u
    on conflict do nothing returning topic`.execute(tx);
  return rows.length > 0;
}

/** True when it was off. */
export async function switchOn(tx: Tx, userId: string, topic: SwitchableTopic): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('letters_off')
    .where('user_id', '=', userId)
    .where('topic', '=', topic)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The last thing that its transaction does: all who write notices wait for its end. */
export async function deleteAllOf(tx: Tx, userId: string): Promise<void> {
  await lockNames(tx, [writing]);
  await tx.deleteFrom('notices').where('user_id', '=', userId).execute();
  await tx.deleteFrom('letters_off').where('user_id', '=', userId).execute();
}

/** As long as a browser is remembered that nobody uses. */
export async function deleteOldNotices(db: Db): Promise<void> {
  await prune(db, 'notices', sql`at < now() - interval '400 days'`);
}
