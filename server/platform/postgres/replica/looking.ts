import type pg from 'pg';
import type { Seen } from './position.ts';

const lookMsMax = 1_000;

/** Of PostgreSQL's files, and of the database in them: a replica has the same of both. */
const identity = `(select system_identifier::text from pg_control_system()) || '/' ||
  (select oid from pg_database where datname = current_database()) as identity`;

/**
 * The timeline is that of the control file, which may be a while behind what was replayed; never ahead of it. Servers behind
 * one address are told apart by when they began.
 */
const look = `select ${identity}, pg_is_in_recovery() as "isReplica",
    coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::bigint as lsn,
    greatest((select timeline_id from pg_control_checkpoint()),
      (select min_recovery_end_timeline from pg_control_recovery())) as timeline,
    concat_ws(' ', inet_server_addr(), inet_server_port(), pg_postmaster_start_time()) as server`;

interface Looked extends Pick<Seen, 'isReplica' | 'server'> {
  identity: string;
  lsn: bigint;
  timeline: number;
}

/** What never changes is asked until it is known. */
export function identityOf(pool: pg.Pool): () => Promise<string> {
  let asked: Promise<string> | null = null;
  const ask = async () => {
    const { rows } = await pool.query<{ identity: string }>(`select ${identity}`);
    return rows[0]?.identity ?? '';
  };
  return () => {
    asked ??= ask().catch((error) => {
      asked = null;
      throw error;
    });
    return asked;
  };
}

/** By its own connection: behind a balancer each may lead elsewhere. */
export async function lookAt(client: pg.ClientBase, ours: string): Promise<Seen> {
  const asked = { text: look, query_timeout: lookMsMax };
  const { rows } = await client.query<Looked>(asked);
  if (!rows[0]) throw new Error('the replica does not say where it stands');
  const { identity: its, isReplica, timeline, lsn, server } = rows[0];
  return { server, isReplica, isOurs: its === ours, position: { timeline, lsn } };
}

export async function ownerOfTables(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ owner: string }>(
    "select pg_get_userbyid(relowner)::text as owner from pg_class where oid = 'users'::regclass",
  );
  return rows[0]?.owner ?? '';
}
