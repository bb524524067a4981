import pg from 'pg';
import type { Logger } from '../../logger.ts';
import { StartRefusal } from '../../start-refusal.ts';
import { refusePowerfulLogin } from '../app-login.ts';
import { type DatabaseError, isConnectionLost, isDatabaseAway } from '../away.ts';
import { bigintTypes, type Db, heard, ownersDb, pools } from '../db.ts';
import type { createMarks } from './marks.ts';
import { type Need, type Seen, type Unfit, unfitFor } from './position.ts';

const connectionsMax = 12;
/** Less patient than with the primary, which can be asked instead. */
const connectMsMax = 1_000;
const lookMsMax = 1_000;
const statementMsMax = 4_000;
const unheardMsMax = 1_000;
/** One that failed is left alone for so long. */
const restMs = 5_000;
/** What a server said of itself is asked anew after so long; sooner, where that did not do. */
const seenMs = 1_000;
const seenAgainMs = 20;
/** A statement that stood in the way of what was to be replayed. */
const inTheWay = '40001';
/** What would write is wrong here, and no more right elsewhere. */
const wouldWrite = '25006';
/** A wrong name, password or database. */
const refusal = /^(28|3D)/;

const identity = `(select system_identifier::text from pg_control_system()) || '/' ||
  (select oid from pg_database where datname = current_database()) as identity`;

/**
 * The timeline is that of the control file, which may be a while behind what was replayed; never ahead of it. A balancer
 * may lead each connection elsewhere, so each is asked for itself, and by when its server began they are told apart.
 */
const look = `select ${identity}, pg_is_in_recovery() as "isReplica",
    coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::bigint as lsn,
    greatest((select timeline_id from pg_control_checkpoint()),
      (select min_recovery_end_timeline from pg_control_recovery())) as timeline,
    concat_ws(' ', inet_server_addr(), inet_server_port(), pg_postmaster_start_time()) as server`;

interface Looked {
  identity: string;
  isReplica: boolean;
  lsn: bigint;
  timeline: number;
  server: string;
}

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

/** One that hangs or is gone, and not one that has answered that it cannot. */
const isBrokenBy = (error: DatabaseError) =>
  isConnectionLost(error) || error.message.includes('Query read timeout');

async function identityOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ identity: string }>(`select ${identity}`);
  return rows[0]?.identity ?? '';
}

async function ownerOfTables(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ owner: string }>(
    "select pg_get_userbyid(relowner)::text as owner from pg_class where oid = 'users'::regclass",
  );
  return rows[0]?.owner ?? '';
}

/** Reads from a replica as long as that is fit for it. Whatever is wrong with it is no failure, only a reason. */
export function openReplica({ url, db, marks, logger }: ReplicaNeeds) {
  const pool = heard(
    new pg.Pool({
      connectionString: url,
      max: connectionsMax,
      connectionTimeoutMillis: connectMsMax,
      query_timeout: statementMsMax + unheardMsMax,
      keepAlive: true,
      options: `-c statement_timeout=${statementMsMax} -c default_transaction_read_only=on`,
      types: bigintTypes,
    }),
    logger,
  );
  const known = new WeakMap<pg.PoolClient, { at: number; seen: Seen }>();
  const primarys = askedOnce(() => identityOf(pools.get(db) as pg.Pool));
  let isTrusted = false;
  let triedAt = Number.NEGATIVE_INFINITY;

  function leaveAlone(why: Why, reason?: string): void {
    if (isTrusted) logger.warn({ why, reason }, 'the replica is not read: the primary is');
    isTrusted = false;
    triedAt = performance.now();
  }

  async function lookAt(client: pg.PoolClient): Promise<Seen> {
    const at = performance.now();
    const asked = { name: 'where a replica stands', text: look, query_timeout: lookMsMax };
    const { rows } = await client.query<Looked>(asked);
    if (!rows[0]) throw new Error('the replica does not say where it stands');
    const { identity: its, isReplica, timeline, lsn, server } = rows[0];
    const seen = { server, isReplica, isOurs: its === (await primarys()), position: { timeline, lsn } };
    known.set(client, { at, seen });
    return seen;
  }

  async function fit(client: pg.PoolClient, need: Need): Promise<{ server: string } | { why: Why }> {
    const told = await marks.known();
    if (!told) return { why: 'unsure' };
    const last = known.get(client);
    const age = last ? performance.now() - last.at : Number.POSITIVE_INFINITY;
    const sufficed = last && age < seenMs && unfitFor(last.seen, need, told) === null;
    const seen = last && (sufficed || age < seenAgainMs) ? last.seen : await lookAt(client);
    const why = unfitFor(seen, need, told);
    return why ? { why } : { server: seen.server };
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
        if ('why' in found) {
          if (isOver) leaveAlone(found.why);
          else if (found.why !== 'unsure') trust();
          return found;
        }
        trust();
        return { value: await run(client), server: found.server };
      } catch (error) {
        const { code, message } = error as DatabaseError;
        const isItsOwn = isDatabaseAway(error as DatabaseError) || code === inTheWay;
        if (!isItsOwn || code === wouldWrite) throw error;
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
      try {
        const [seen, told] = client ? [await lookAt(client), await marks.known()] : [null, null];
        if (!seen || !told) return { isFit: false, behindBytes: null };
        const behind = Number(stands.lsn - seen.position.lsn);
        const isFit = unfitFor(seen, { after: null, server: null }, told) === null;
        return { isFit, behindBytes: Math.max(0, behind) };
      } catch {
        return { isFit: false, behindBytes: null };
      } finally {
        client?.release();
      }
    },

    /**
     * Before the first request: whether it is what it was named for. One that is away is tried later; so is one that has
     * not heard yet of a login that was made a moment ago.
     */
    async refuseUnfit({ hasOwnLogin }: { hasOwnLogin: boolean }): Promise<void> {
      try {
        if ((await identityOf(pool)) !== (await primarys())) {
          throw new StartRefusal(
            'DATABASE_READ_URL leads to another database than DATABASE_URL: name a replica of the same one.',
          );
        }
        await refusePowerfulLogin(ownersDb(pool), { ownersName: await ownerOfTables(pool), durable: false });
      } catch (error) {
        const { code = '', message } = error as DatabaseError;
        if (!isDatabaseAway(error as DatabaseError)) throw error;
        if (hasOwnLogin && refusal.test(code)) {
          throw new StartRefusal(`DATABASE_READ_URL: the database does not let us in: ${message}`);
        }
        logger.warn({ reason: message }, 'the replica is away: the primary is read');
      }
    },
  };
}

/** What never changes is asked until it is known. */
function askedOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () => {
    asked ??= ask().catch((error) => {
      asked = null;
      throw error;
    });
    return asked;
  };
}
