import { sql } from 'kysely';
import { type Db, prepared, type Tx } from '../../../platform/postgres/db.ts';
import { prune } from '../../../platform/postgres/prune.ts';
import { columnOf, hexBytes } from '../../../platform/postgres/wire/binary.ts';

interface NewSession {
  userId: string;
  deviceId: string;
  bearerHash: Buffer;
  cookieHash: Buffer;
  clientAddress: string;
  userAgent: string;
  /** What was shown besides the password, or instead of it. */
  factor: string | null;
  steppedUpAt: Date | null;
  now: Date;
  expiresAt: Date;
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      user_id: session.userId,
      device_id: session.deviceId,
      bearer_hash: session.bearerHash,
      cookie_hash: session.cookieHash,
      client_address: session.clientAddress,
      user_agent: session.userAgent,
      factor: session.factor,
      stepped_up_at: session.steppedUpAt,
      created_at: session.now,
      seen_at: session.now,
      expires_at: session.expiresAt,
    })
    .execute();
}

interface SessionRow {
  id: string;
  userId: string;
  seenAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
}

/** All who ask wait for the read under way: a connection that cannot be heard any more is soon given up for another. */
const sessionReadMsMax = 5_000;

/** Its moments are counted in seconds since 1970: to spell them out and to read them again took some 4 µs for each request. */
interface CountedSession {
  n: number;
  id: string;
  userId: string;
  seen: number;
  expires: number;
  ended: number | null;
}

/** Each hash by the unique index of its carrier, however many are asked for. */
const sessionsBy = (carrier: 'bearer_hash' | 'cookie_hash') =>
  prepared<CountedSession>(
    `sessions by ${carrier}`,
    `select asked.n::int, s.* from unnest($1::bytea[]) with ordinality as asked (hash, n) cross join lateral (
       select id, user_id as "userId", date_part('epoch', seen_at) as seen, date_part('epoch', expires_at) as expires,
         date_part('epoch', ended_at) as ended
       from sessions where ${carrier} = asked.hash limit 1) s`,
    { msMax: sessionReadMsMax },
  );
const readSessions = { bearer: sessionsBy('bearer_hash'), cookie: sessionsBy('cookie_hash') };

const momentOf = (seconds: number) => new Date(Math.round(seconds * 1000));

/** The session of each hash, in their order; null where there is none. */
export async function findSessions(
  db: Db,
  carrier: keyof typeof readSessions,
  hashes: string[],
): Promise<(SessionRow | null)[]> {
  const found: (SessionRow | null)[] = hashes.map(() => null);
  const rows = await readSessions[carrier](db, [columnOf(hexBytes, hashes, (hash) => hash)]);
  for (const { n, id, userId, seen, expires, ended } of rows) {
    const endedAt = ended === null ? null : momentOf(ended);
    found[n - 1] = { id, userId, seenAt: momentOf(seen), expiresAt: momentOf(expires), endedAt };
  }
  return found;
}

/** A row that another holds is being touched as well, or ended: waiting for it would gain nothing, and could deadlock. */
export async function touchSessions(db: Db | Tx, sessionIds: string[], now: Date): Promise<void> {
  await sql`update sessions set seen_at = ${now} where id in (
    select id from sessions where id = any (${sessionIds}::uuid[]) for no key update skip locked)`.execute(
    db,
  );
}

interface OpenDevice {
  id: string;
  current: boolean;
  userAgent: string;
  clientAddress: string;
  firstSeenAt: Date;
  signedInAt: Date;
  seenAt: Date;
}

/**
 * The devices that are signed in, each once however often it signed in, the most recently used first. A session whose
 * device is not remembered stands for itself.
 */
export async function openDevicesOf(
  db: Db | Tx,
  asked: { userId: string; sessionId: string | null; seenAfter: Date; now: Date },
): Promise<OpenDevice[]> {
  const { userId, sessionId, seenAfter, now } = asked;
  const { rows } = await sql<OpenDevice>`
    select coalesce(s.device_id, s.id) as id, coalesce(bool_or(s.id = ${sessionId}::uuid), false) as current,
      (array_agg(s.user_agent order by s.seen_at desc))[1] as "userAgent",
      (array_agg(s.client_address order by s.seen_at desc))[1] as "clientAddress",
      min(coalesce(d.first_seen_at, s.created_at)) as "firstSeenAt",
      max(s.created_at) as "signedInAt", max(s.seen_at) as "seenAt"
    from sessions s left join devices d on d.id = s.device_id
    where s.user_id = ${userId} and s.ended_at is null and s.expires_at > ${now} and s.seen_at > ${seenAfter}
    group by 1 order by max(s.seen_at) desc, 1 limit 100`.execute(db);
  return rows;
}

export async function deviceOfSession(db: Db | Tx, sessionId: string): Promise<string | null> {
  const row = await db
    .selectFrom('sessions')
    .select('device_id')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row?.device_id ?? null;
}

const endingOpenOf = (tx: Tx, userId: string, now: Date) =>
  tx
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null);

/** False when it is not theirs or is signed out. */
export async function endSessionsOfDevice(
  tx: Tx,
  userId: string,
  deviceId: string,
  now: Date,
): Promise<boolean> {
  const result = await endingOpenOf(tx, userId, now)
    .where((eb) => eb.or([eb('device_id', '=', deviceId), eb('id', '=', deviceId)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** One of a user's own sessions; false when it is not theirs or has ended. */
export async function endOwnSession(tx: Tx, userId: string, sessionId: string, now: Date): Promise<boolean> {
  const result = await endingOpenOf(tx, userId, now).where('id', '=', sessionId).executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function endEverySession(tx: Tx, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ ended_at: now }).where('ended_at', 'is', null).execute();
}

/** Whoever's it is: a browser has one session at a time. */
export async function endSessionOfCookie(tx: Tx, cookieHash: Buffer, now: Date): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('cookie_hash', '=', cookieHash)
    .where('ended_at', 'is', null)
    .execute();
}

/** Ends what is open for a user; one session may be spared: the one that asks. */
export async function endSessionsOf(
  tx: Tx,
  userId: string,
  now: Date,
  sparedId: string | null,
): Promise<void> {
  const query = endingOpenOf(tx, userId, now);
  await (sparedId ? query.where('id', '!=', sparedId) : query).execute();
}

export async function deleteSessionsBefore(db: Db, expiredBefore: Date): Promise<void> {
  await prune(db, 'sessions', sql`expires_at < ${expiredBefore}`);
}
