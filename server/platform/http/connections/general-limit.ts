import { randomUUID } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
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

/** What an address has asked for in this minute: of this server, of the others, and what they know of ours. */
interface Count {
  own: number;
  others: number;
  told: number;
}

/**
 * Counts what every address asks for in a minute, of all servers together. It decides by what it knows and asks nobody:
 * what others have counted comes a second later, for addresses that ask much, and not at all while the database is away.
 */
function createCounts({ db, clock, logger, perMinute }: LimitNeeds) {
  const server = randomUUID();
  const part = Math.max(1, Math.ceil(perMinute * sharedFrom));
  let minute = -1;
  let counts = new Map<string, Count>();
  let timer: NodeJS.Timeout | null = null;
  let telling: Promise<void> = Promise.resolve();

  function countOf(address: string): Count {
    const known = counts.get(address);
    if (known) return known;
    const [oldest] = counts.size >= addressesMax ? counts.keys() : [];
    if (oldest !== undefined) counts.delete(oldest);
    const count = { own: 0, others: 0, told: 0 };
    counts.set(address, count);
    return count;
  }

  async function share(): Promise<void> {
    const ofMinute = counts;
    const news = [...ofMinute].filter(([, { own, told }]) => own >= part && own > told);
    const busiest = news.toSorted(([, a], [, b]) => b.own - a.own).slice(0, sharedAtOnce);
    const own = new Map(busiest.map(([address, count]) => [address, count.own]));
    // Of the minute before, nobody wants to know any more.
    if (own.size === 0) return;
    const found = await exchange(db, { minute, server, own });
    for (const [address, hits] of own) {
      const count = ofMinute.get(address);
      if (count) Object.assign(count, { told: hits, others: found.get(address) ?? 0 });
    }
  }

  function shareSoon(): void {
    timer ??= setTimeout(() => {
      telling = share()
        .catch((error) => logger.debug({ err: error }, 'requests are counted by this server alone'))
        .finally(() => {
          timer = null;
        });
    }, shareMs).unref();
  }

  return {
    take(address: string): { current: number; ttl: number } {
      const nowMs = clock.now().getTime();
      const now = Math.floor(nowMs / minuteMs);
      if (now !== minute) {
        minute = now;
        counts = new Map();
      }
      const count = countOf(address);
      count.own += 1;
      if (count.own >= part) shareSoon();
      return { current: count.own + count.others, ttl: (minute + 1) * minuteMs - nowMs };
    },

    async stop(): Promise<void> {
      if (timer) clearTimeout(timer);
      await telling;
    },
  };
}

/** Tells what this server has counted and learns what the others have, in one statement that waits for none of them. */
async function exchange(
  db: Db,
  { minute, server, own }: { minute: number; server: string; own: Map<string, number> },
): Promise<Map<string, number>> {
  const addresses = [...own.keys()];
  const { rows } = await sql<{ address: string; hits: number }>`
    with told as (
      insert into request_counts (minute, address, server, hits)
      select ${minute}::bigint, address, ${server}::uuid, hits
      from unnest(${addresses}::text[], ${[...own.values()]}::int[]) as t (address, hits)
      on conflict (minute, address, server) do update set hits = excluded.hits
    ), over as (
      delete from request_counts where minute < ${minute}::bigint and server = ${server}::uuid
    )
    select address, sum(hits)::int as hits from request_counts
    where minute = ${minute}::bigint and address = any(${addresses}::text[]) and server <> ${server}::uuid
    group by address`.execute(db);
  return new Map(rows.map(({ address, hits }) => [address, hits]));
}

/** Of servers that were not asked again after that minute, or have ended. */
export async function forgetCounts(db: Db, now: Date): Promise<void> {
  const minute = Math.floor(now.getTime() / minuteMs);
  await prune(db, 'request_counts', sql`minute < ${minute}::bigint`);
}

/** In front of everything, guards included: a refused request costs something, too. */
export async function limitRequests(app: FastifyInstance, needs: LimitNeeds): Promise<void> {
  const counts = createCounts(needs);
  class Store {
    incr(address: string, callback: (error: null, taken: { current: number; ttl: number }) => void): void {
      callback(null, counts.take(address));
    }
    child(): Store {
      return this;
    }
  }
  await app.register(rateLimit, { global: false, store: Store });
  app.addHook('onClose', counts.stop);
  app.addHook(
    'onRequest',
    app.rateLimit({
      max: needs.perMinute,
      timeWindow: minuteMs,
      keyGenerator: (request) => throttledAddress(request.clientAddress),
      // Prices come from memory and many watch them from behind one address; whoever watches the server needs the truth.
      allowList: ({ routeOptions: { url } }) =>
        url === '/healthz' || url === '/readyz' || (url?.startsWith('/api/prices/') ?? false),
    }),
  );
}
