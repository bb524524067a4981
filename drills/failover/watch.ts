import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { ClusterNode } from '../../ops/cluster/node.ts';

/** A write that a node has acknowledged to somebody who asked it alone. */
export interface Written {
  node: string;
  key: number;
  /** Each primary has one of its own, higher than those before it. */
  timeline: number;
  from: number;
  to: number;
}

const pauseMs = 150;
const connectMsMax = 2_000;
const cancelled = /canceling wait for synchronous replication/;

/**
 * Two primaries at once: something acknowledged as of an older term that was begun after something was acknowledged as of
 * a newer one. What was begun before may have been on its way.
 */
export function lateWrites(written: readonly Written[]): Written[] {
  const ended = written.toSorted((one, other) => one.to - other.to);
  let newest = 0;
  let at = 0;
  return written
    .toSorted((one, other) => one.from - other.from)
    .filter(({ from, timeline }) => {
      for (let next = ended[at]; next && next.to < from; next = ended[at]) {
        newest = Math.max(newest, next.timeline);
        at += 1;
      }
      return timeline < newest;
    });
}

/** How writes are asked to be kept: as money is, and as money never is. */
type Commit = 'on' | 'local';

export interface Watch {
  written: Record<Commit, Written[]>;
  /** Answers that said success and were taken back by a notice. */
  takenBack: number;
  newestTimeline(): number;
  /** How many of what was acknowledged is not there any more. */
  missing(leader: ClusterNode): Promise<Record<Commit, number>>;
  end(): Promise<void>;
}

/** Not the site's: a database may hold no tables but its own. */
const table = `create table if not exists watch (key bigint primary key, node text not null)`;
const write = `insert into watch (key, node) values ($1, $2)
  returning ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`;

async function ask<T extends pg.QueryResultRow>(node: ClusterNode, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: node.adminUrl(), connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  return (await client.query<T>(sql).finally(() => client.end())).rows;
}

/** Asks every node by itself, all the time, to write something: through its socket, whatever the network does. */
export async function startWatch(nodes: readonly ClusterNode[], leader: ClusterNode): Promise<Watch> {
  await ask(leader, table);
  const written: Watch['written'] = { on: [], local: [] };
  const clients = new Set<pg.Client>();
  let isOver = false;
  let lastKey = 0;

  async function writeOn(node: ClusterNode, commit: Commit, client: pg.Client): Promise<void> {
    let isTakenBack = false;
    client.on('notice', ({ message }) => (isTakenBack ||= cancelled.test(message ?? '')));
    await client.connect();
    await client.query(`set synchronous_commit = ${commit}`);
    for (; !isOver; await delay(pauseMs)) {
      const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
      if (rows[0]?.standby) continue;
      lastKey += 1;
      const [key, from] = [lastKey, performance.now()];
      isTakenBack = false;
      const done = await client.query<{ timeline: number }>(write, [key, node.name]);
      if (isTakenBack) watch.takenBack += 1;
      else
        written[commit].push({
          node: node.name,
          key,
          from,
          to: performance.now(),
          timeline: done.rows[0]?.timeline ?? 0,
        });
    }
  }

  async function keepWriting(node: ClusterNode, commit: Commit): Promise<void> {
    for (; !isOver; await delay(pauseMs)) {
      const client = new pg.Client({
        connectionString: node.adminUrl(),
        connectionTimeoutMillis: connectMsMax,
      });
      client.on('error', () => {});
      clients.add(client);
      // A node that is not there, or no primary any more, says so; the next moment it may be.
      await writeOn(node, commit, client).catch(() => {});
      clients.delete(client);
      void client.end().catch(() => {});
    }
  }
  const all = nodes.flatMap((node) => [keepWriting(node, 'on'), keepWriting(node, 'local')]);

  const watch: Watch = {
    written,
    takenBack: 0,
    newestTimeline: () => written.on.reduce((newest, { timeline }) => Math.max(newest, timeline), 0),
    async missing(node) {
      const rows = await ask<{ key: string }>(node, 'select key from watch');
      const there = new Set(rows.map(({ key }) => Number(key)));
      const count = (commit: Commit) => written[commit].filter(({ key }) => !there.has(key)).length;
      return { on: count('on'), local: count('local') };
    },
    async end() {
      isOver = true;
      await Promise.race([Promise.all(all), delay(3_000)]);
      for (const client of clients) void client.end().catch(() => {});
    },
  };
  return watch;
}
