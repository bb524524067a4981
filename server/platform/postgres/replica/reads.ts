import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Logger } from '../../logger.ts';
import { withLoginOf } from '../app-login.ts';
import { type Db, pools, type ReadDb } from '../db.ts';
import type { DB as Schema } from '../schema.ts';
import { createMarks } from './marks.ts';
import type { Position } from './position.ts';
import { createReplica, type ReplicaHealth, type Why } from './replica.ts';

/** What whoever reads must find: everything, what they have written themselves, or what there is. */
export type After = 'everything' | Position | null;

interface ReadsNeeds {
  db: Db;
  /** Undefined: there is no replica, and everything is as if this were not there. */
  databaseReadUrl: string | undefined;
  /** The server's own login: where it was made by the server, it is the replica's, too. */
  appUrl: string;
  databaseAppUrl: string | undefined;
  logger: Logger;
  onRead?(from: 'replica' | 'primary', why: Why | 'asked' | ''): void;
}

/** Where to read what may be a moment old. */
export interface Reads {
  /** For one request: what it has seen once is not taken back by its next statement. */
  after(what: After): ReadDb;
  /** Where the primary stands, to be remembered by whoever has just written; null where there is no replica. */
  position: (() => Promise<Position>) | null;
  /** Of the replica's connections. */
  pool: pg.Pool | null;
  health(): Promise<ReplicaHealth>;
  close(): Promise<void>;
}

/** Statements go one by one to wherever they may be answered; once to the primary, always to the primary. */
function readDbOn(query: (text: string, values: unknown[]) => Promise<pg.QueryResult>): ReadDb {
  const line = { query, release() {} };
  const pool = { connect: async () => line, end: async () => {} } as unknown as pg.Pool;
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

export async function openReads(needs: ReadsNeeds): Promise<Reads> {
  const { db, databaseReadUrl, databaseAppUrl, appUrl, logger, onRead = () => {} } = needs;
  const primary = pools.get(db);
  if (!databaseReadUrl || !primary) {
    const none = { isFit: null, behindBytes: null };
    return { after: () => db, position: null, pool: null, health: async () => none, close: async () => {} };
  }
  const marks = createMarks(db);
  const url = databaseAppUrl ? databaseReadUrl : withLoginOf(appUrl, databaseReadUrl);
  const replica = createReplica({ url, db, marks, logger });
  const close = () => replica.pool.end();
  await replica.refuseUnfit({ hasOwnLogin: databaseAppUrl !== undefined }).catch(async (error) => {
    await close();
    throw error;
  });

  return {
    after(what) {
      let staysFor: Why | 'asked' | null = what === 'everything' ? 'asked' : null;
      let server: string | null = null;
      return readDbOn(async (text, values) => {
        if (staysFor === null && what !== 'everything') {
          const read = await replica.read({ after: what, server }, (client) => client.query(text, values));
          if ('value' in read) {
            server ??= read.server;
            onRead('replica', '');
            return read.value;
          }
          staysFor ??= read.why;
        }
        onRead('primary', staysFor ?? 'asked');
        return primary.query(text, values);
      });
    },
    position: marks.position,
    pool: replica.pool,
    health: replica.health,
    close,
  };
}
