import { sql } from 'kysely';
import type { Db, Tx } from '../postgres/db.ts';
import { prune } from '../postgres/prune.ts';

/** Whom a counter belongs to: an account, a client address, everyone. */
export interface Counter {
  scope: string;
  subject: string;
}

interface Quota {
  limit: number;
  windowMs: number;
}

interface Taken {
  allowed: boolean;
  hits: number;
  retryAfterMs: number;
}

/**
 * Counts one use and says whether it was still within the quota. Counted before the thing itself is done, so that
 * a hundred parallel calls cannot all see the same free place.
 */
export async function takeFromQuota(db: Db | Tx, counter: Counter, quota: Quota, now: Date): Promise<Taken> {
  const windowEndsAt = new Date(now.getTime() + quota.windowMs);
  const { rows } = await sql<{ hits: number; window_ends_at: Date }>`
    insert into throttles (scope, subject, hits, window_ends_at)
    values (${counter.scope}, ${counter.subject}, 1, ${windowEndsAt})
    on conflict (scope, subject) do update set
      hits = case when throttles.window_ends_at <= ${now} then 1 else throttles.hits + 1 end,
      window_ends_at = case when throttles.window_ends_at <= ${now} then ${windowEndsAt} else throttles.window_ends_at end
    returning hits, window_ends_at`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('an upsert returned no row');
  return {
    allowed: row.hits <= quota.limit,
    hits: row.hits,
    retryAfterMs: row.window_ends_at.getTime() - now.getTime(),
  };
}

/** Gives one use back, for a try that turned out to be a right one. */
export async function giveBack(db: Db | Tx, counter: Counter): Promise<void> {
  await sql`update throttles set hits = greatest(hits - 1, 0), blocked_until = null
    where scope = ${counter.scope} and subject = ${counter.subject}`.execute(db);
}

export async function hitsOf(db: Db | Tx, counter: Counter, now: Date): Promise<number> {
  const row = await db
    .selectFrom('throttles')
    .select('hits')
    .where('scope', '=', counter.scope)
    .where('subject', '=', counter.subject)
    .where('window_ends_at', '>', now)
    .executeTakeFirst();
  return row?.hits ?? 0;
}

export interface Slowdown {
  /** The failure from which on the next try has to wait. */
  from: number;
  firstDelayMs: number;
  delayMsMax: number;
  windowMs: number;
}

/**
 * Counts a try as a failure beforehand; a success takes that back. From the given failure on, each doubles the
 * wait until the next try is looked at. Returns how long the caller has to wait, zero when the try may go ahead.
 */
export async function waitBeforeTry(
  db: Db | Tx,
  counter: Counter,
  slowdown: Slowdown,
  now: Date,
): Promise<number> {
  const windowEndsAt = new Date(now.getTime() + slowdown.windowMs);
  const { rows } = await sql`
    insert into throttles as t (scope, subject, hits, window_ends_at)
    values (${counter.scope}, ${counter.subject}, 1, ${windowEndsAt})
    on conflict (scope, subject) do update set
      hits = case when t.window_ends_at <= ${now} then 1 else t.hits + 1 end,
      window_ends_at = case when t.window_ends_at <= ${now} then ${windowEndsAt} else t.window_ends_at end,
      blocked_until = case
        when t.window_ends_at > ${now} and t.hits + 1 >= ${slowdown.from}::int
        then ${now}::timestamptz + interval '1 millisecond' * least(
          ${slowdown.delayMsMax}::float8,
          ${slowdown.firstDelayMs}::float8 * power(2, least(t.hits + 1 - ${slowdown.from}::int, 20)))
      end
    where t.blocked_until is null or t.blocked_until <= ${now}
    returning hits`.execute(db);
  if (rows.length > 0) return 0;
  return Math.max(1, await waitOf(db, counter, now));
}

/** How long a try would have to wait, without counting one. */
export async function waitOf(db: Db | Tx, counter: Counter, now: Date): Promise<number> {
  const blocked = await db
    .selectFrom('throttles')
    .select('blocked_until')
    .where('scope', '=', counter.scope)
    .where('subject', '=', counter.subject)
    .executeTakeFirst();
  return Math.max(0, (blocked?.blocked_until?.getTime() ?? 0) - now.getTime());
}

/** Whose counters begin with the same words. */
export async function subjectsStartingWith(db: Db | Tx, scope: string, start: string): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select subject from throttles where scope = ${scope} and starts_with(subject, ${start})`.execute(db);
  return rows.map(({ subject }) => subject);
}

export async function forget(db: Db | Tx, counter: Counter): Promise<void> {
  await db
    .deleteFrom('throttles')
    .where('scope', '=', counter.scope)
    .where('subject', '=', counter.subject)
    .execute();
}

export async function forgetPassed(db: Db, now: Date): Promise<void> {
  const isOver = sql`(window_ends_at < ${now} and (blocked_until is null or blocked_until < ${now}))`;
  await prune(db, 'throttles', isOver);
}

/** An IPv6 subscriber holds a whole /64, so that is what a counter is kept for. */
export function throttledAddress(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  const [head = '', tail = ''] = address.split('::');
  const first = head.split(':').filter(Boolean);
  const last = tail.split(':').filter(Boolean);
  const groups = [...first, ...Array(8 - first.length - last.length).fill('0'), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
