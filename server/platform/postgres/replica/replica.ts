import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../../logger.ts';
import { StartRefusal } from '../../start-refusal.ts';
import { refusePowerfulLogin } from '../app-login.ts';
import { type DatabaseError, isConnectionLost, isDatabaseAway } from '../away.ts';
import { bigintTypes, type Db, ownersDb, pools, silentMsMax } from '../db.ts';
import { heard } from '../pool/pool.ts';
import { identityOf, lookAt, ownerOfTables } from './looking.ts';
import type { createMarks } from './marks.ts';
import { type Need, type Seen, type Unfit, unfitFor } from './position.ts';

const connectionsMax = 12;
/** Less patient than with the primary, which can be asked instead; but what takes long is better done here than there. */
const connectMsMax = 1_000;
const statementMsMax = 10_000;
const unheardMsMax = 1_000;
/** One that failed is left alone for so long. */
const restMs = 5_000;
/** What a server said of itself is asked anew after so long; sooner, where that did not do. */
const seenMs = 1_000;
const seenAgainMs = 20;
/** At a start: for what has been made a moment ago, such as the login, to arrive there. */
const arrivingMsMax = 2_000;
const arrivingLookMs = 50;

/** A statement that stood in the way of what was to be replayed. */
const inTheWay = '40001';
/** What would write is wrong here, and no more right elsewhere. */
const wouldWrite = '25006';
/** A wrong name, password or database. */
const refusal = /^(28|3D)/;

interface ReplicaNeeds {
  /** As someone who owns nothing. */
  url: string;
  db: Db;
  marks: ReturnType<typeof createMarks>;
  logger: Logger;
}

/** Why the primary is read instead. */
export type Why = Unfit | 'away' | 'unsure';
type Read<T> = { value: T; server: string } | { why: Why };

/** For whoever watches the server; null where nobody can say, or there is no replica. */
export interface ReplicaHealth {
  isFit: boolean | null;
  behindBytes: number | null;
}

const anybody: Need = { after: null, server: null };

function isItsOwn(error: DatabaseError): boolean {
  return (isDatabaseAway(error) || error.code === inTheWay) && error.code !== wouldWrite;
}
/** One that hangs or is gone, and not one that has answered that it cannot. */
const isBrokenBy = (error: DatabaseError) =>
  isConnectionLost(error) || error.message.includes('Query read timeout');

const openPool = (url: string, logger: Logger): pg.Pool =>
  heard(
    new pg.Pool({
      connectionString: url,
      max: connectionsMax,
      connectionTimeoutMillis: connectMsMax,
      query_timeout: statementMsMax + unheardMsMax,
      keepAlive: true,
      options: [
        `-c statement_timeout=${statementMsMax} -c idle_in_transaction_session_timeout=${silentMsMax}`,
        '-c default_transaction_read_only=on',
      ].join(' '),
      types: bigintTypes,
    }),
    logger,
  );

/** Reads from a replica as long as that is fit for it. Whatever is wrong with it is no failure, only a reason. */
export function createReplica({ url, db, marks, logger }: ReplicaNeeds) {
  const pool = openPool(url, logger);
  const known = new WeakMap<pg.PoolClient, { at: number; seen: Seen }>();
  const ours = identityOf(pools.get(db) as pg.Pool);
  let isTrusted = false;
  let triedAt = Number.NEGATIVE_INFINITY;
  /** Whether its login is known to be no more than the server needs. */
  let isLoginFit = false;

  function leaveAlone(why: Why, reason?: string): void {
    if (isTrusted) logger.warn({ why, reason }, 'the replica is not read: the primary is');
    isTrusted = false;
    triedAt = performance.now();
  }

  function trust(): void {
    if (!isTrusted) logger.info('the replica is read');
    isTrusted = true;
  }

  /** After a failure one tries it again, once in a while, and not all who come. */
  function mayTry(): boolean {
    if (isTrusted) return true;
    if (performance.now() - triedAt < restMs) return false;
    triedAt = performance.now();
    return true;
  }

  async function lookAgain(client: pg.PoolClient): Promise<Seen> {
    const at = performance.now();
    const seen = await lookAt(client, await ours());
    known.set(client, { at, seen });
    return seen;
  }

  async function fit(client: pg.PoolClient, need: Need): Promise<{ server: string } | { why: Why }> {
    const told = await marks.known();
    if (!told) return { why: 'unsure' };
    const last = known.get(client);
    const age = last ? performance.now() - last.at : Number.POSITIVE_INFINITY;
    const sufficed = last && age < seenMs && unfitFor(last.seen, need, told) === null;
    const seen = last && (sufficed || age < seenAgainMs) ? last.seen : await lookAgain(client);
    const why = unfitFor(seen, need, told);
    return why ? { why } : { server: seen.server };
  }

  async function demandLogin(): Promise<void> {
    if (isLoginFit) return;
    await refusePowerfulLogin(ownersDb(pool), { ownersName: await ownerOfTables(pool), durable: false });
    isLoginFit = true;
  }

  /** Until it has what was written before the start, or is too late for that. */
  async function arrived(): Promise<boolean> {
    for (const until = performance.now() + arrivingMsMax; performance.now() < until; ) {
      const client = await pool.connect();
      const found = await fit(client, anybody).catch((error) => {
        client.release(true);
        throw error;
      });
      client.release();
      if (!('why' in found)) return true;
      if (found.why === 'foreign') {
        throw new StartRefusal(
          'DATABASE_READ_URL leads to another database than DATABASE_URL: name a replica of the same one.',
        );
      }
      await delay(arrivingLookMs);
    }
    return false;
  }

  return {
    pool,

    async read<T>(need: Need, run: (client: pg.PoolClient) => Promise<T>): Promise<Read<T>> {
      if (!mayTry()) return { why: 'away' };
      let client: pg.PoolClient | null = null;
      let isOver = false;
      try {
        client = await pool.connect();
        const found = await fit(client, need);
        // Another may stand behind the same address.
        isOver = 'why' in found && (found.why === 'foreign' || found.why === 'promoted');
        if (isOver && 'why' in found) leaveAlone(found.why);
        if ('why' in found) return found;
        await demandLogin();
        trust();
        return { value: await run(client), server: found.server };
      } catch (error) {
        const { message } = error as Error;
        if (error instanceof StartRefusal) {
          logger.error({ alert: true, reason: message }, 'the replica is not read: DATABASE_READ_URL');
          return { why: 'foreign' };
        }
        if (!isItsOwn(error as DatabaseError)) throw error;
        isOver = isBrokenBy(error as DatabaseError);
        // All of its connections may be in use, which is no fault of it.
        const isFull = client === null && pool.totalCount >= connectionsMax && isTrusted;
        if (isOver && !isFull) leaveAlone('away', message);
        return { why: 'away' };
      } finally {
        client?.release(isOver);
      }
    },

    async health(): Promise<ReplicaHealth> {
      const stands = await marks.position();
      const client = await pool.connect().catch(() => null);
      let isOver = false;
      try {
        const [seen, told] = client ? [await lookAgain(client), await marks.known()] : [null, null];
        if (!seen || !told) return { isFit: false, behindBytes: null };
        const behind = Number(stands.lsn - seen.position.lsn);
        return { isFit: unfitFor(seen, anybody, told) === null, behindBytes: Math.max(0, behind) };
      } catch {
        isOver = true;
        return { isFit: false, behindBytes: null };
      } finally {
        client?.release(isOver);
      }
    },

    /** Before the first request: whether it is what it was named for. One that is away is tried later. */
    async refuseUnfit({ hasOwnLogin }: { hasOwnLogin: boolean }): Promise<void> {
      try {
        if (await arrived()) await demandLogin();
        else logger.warn('the replica is behind: the primary is read');
      } catch (error) {
        const { code = '', message } = error as DatabaseError;
        if (!isItsOwn(error as DatabaseError)) throw error;
        // One that the server has made a moment ago may not be known there yet.
        if (hasOwnLogin && refusal.test(code)) {
          throw new StartRefusal(`DATABASE_READ_URL: the database does not let us in: ${message}`);
        }
        logger.warn({ reason: message }, 'the replica is away: the primary is read');
      }
    },
  };
}
