import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import { type Clock, minuteMs } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { Db } from '../../postgres/db.ts';
import { prune } from '../../postgres/prune.ts';
import { throttledAddress } from '../throttle.ts';

interface LimitNeeds {
  db: Db;
  clock: Clock;
  logger: Logger;
  perMinute: number;
}

/** Below this part of the limit an address is nobody else's business: nearly all of them stay there. */
const sharedFrom = 1 / 10;
const shareMs = 1_000;
/** Those that have been known for the longest time are forgotten first. */
const addressesMax = 50_000;
const sharedAtOnce = 1_000;

/** What an address has asked for in its minute: of this server, and of the others, as far as they were heard of. */
interface Count {
  own: number;
  others: number;
  /** Its minute begins with its first request here. */
  endsMs: number;
}

/**
 * Counts what every address asks for in a minute, of all servers together. It decides by what it knows and asks nobody:
 * what others have counted comes a second later, for addresses that ask much, and not at all while the database is away.
 */
function createCounts({ db, clock, logger, perMinute }: LimitNeeds) {
  const server = randomUUID();
  const part = Math.max(1, Math.ceil(perMinute * sharedFrom));
  /** Those whose minute began first come first. */
  const counts = new Map<string, Count>();
  /** What the others have not heard of yet. */
  const news = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let telling: Promise<void> = Promise.resolve();

  function countOf(address: string, nowMs: number): Count {
    const known = counts.get(address);
    if (known && nowMs < known.endsMs) return known;
    counts.delete(address);
    const [oldest] = counts.size >= addressesMax ? counts.keys() : [];
    if (oldest !== undefined) counts.delete(oldest);
    const count = { own: 0, others: 0, endsMs: nowMs + minuteMs };
    counts.set(address, count);
    return count;
  }

  async function share(): Promise<void> {
    const told = [...news].slice(0, sharedAtOnce).flatMap((address) => {
      const count = counts.get(address);
      news.delete(address);
      return count ? [{ address, count, hits: count.own, endsAt: new Date(count.endsMs) }] : [];
    });
    const others = await exchange(db, { server, told, now: clock.now() });
    for (const { address, count } of told) count.others = others.get(address) ?? 0;
  }

  function shareSoon(): void {
    timer ??= setTimeout(() => {
      telling = share()
        .catch((error) => logger.debug({ err: error }, 'requests are counted by this server alone'))
        .finally(() => {
          timer = null;
          if (news.size > 0) shareSoon();
        });
    }, shareMs).unref();
  }

  return {
    take(address: string): { current: number; ttl: number } {
      const nowMs = clock.now().getTime();
      const count = countOf(address, nowMs);
      count.own += 1;
      if (count.own >= part) {
        news.add(address);
        shareSoon();
      }
      return { current: count.own + count.others, ttl: count.endsMs - nowMs };
    },

    async stop(): Promise<void> {
      news.clear();
      if (timer) clearTimeout(timer);
      await telling;
    },
  };
}

interface Exchange {
  server: string;
  told: { address: string; hits: number; endsAt: Date }[];
  now: Date;
}

/** Tells what this server has counted and learns what the others have, in one statement that waits for none of them. */
async function exchange(db: Db, { server, told, now }: Exchange): Promise<Map<string, number>> {
  const addresses = told.map(({ address }) => address);
  const { rows } = await sql<{ address: string; hits: number }>`
    with told as (
      insert into request_counts (address, server, hits, ends_at)
      select address, ${server}::uuid, hits, ends_at
      from unnest(${addresses}::text[], ${told.map(({ hits }) => hits)}::int[],
        ${told.map(({ endsAt }) => endsAt)}::timestamptz[]) as t (address, hits, ends_at)
      on conflict (address, server) do update set hits = excluded.hits, ends_at = excluded.ends_at
    ), over as (
      delete from request_counts
      where server = ${server}::uuid and ends_at <= ${now} and address <> all(${addresses}::text[])
    )
    select address, sum(hits)::int as hits from request_counts
    where address = any(${addresses}::text[]) and server <> ${server}::uuid and ends_at > ${now}
    group by address`.execute(db);
  return new Map(rows.map(({ address, hits }) => [address, hits]));
}

/** Of servers that were not asked again after that minute, or have ended. */
export async function forgetCounts(db: Db, now: Date): Promise<void> {
  await prune(db, 'request_counts', sql`ends_at <= ${now}`);
}

/** Made once, as for whoever comes when there is too much to do: those who ask much are told so much. */
const tooMany = new AppError('too_many_requests', 'Too many requests. Slow down a little.');

/** Prices come from memory and many watch them from behind one address; whoever watches the server needs the truth. */
const isFree = ({ routeOptions: { url } }: FastifyRequest) =>
  url === '/healthz' || url === '/readyz' || (url?.startsWith('/api/prices/') ?? false);

/** In front of everything, guards included: a refused request costs something, too. */
export function limitRequests(app: FastifyInstance, needs: LimitNeeds): void {
  const counts = createCounts(needs);
  app.addHook('onClose', counts.stop);
  app.addHook('onRequest', (request, reply, next) => {
    if (isFree(request)) return next();
    const { current, ttl } = counts.take(throttledAddress(request.clientAddress));
    if (current <= needs.perMinute) return next();
    reply.header('retry-after', Math.ceil(ttl / 1000));
    next(tooMany);
  });
}
