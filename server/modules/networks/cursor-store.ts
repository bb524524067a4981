import type { Network } from '@tallystick/contract/networks';
import { sql } from 'kysely';
import type { Db, ReadDb, Tx } from '../../platform/postgres/db.ts';
import type { WatchState } from './rules.ts';

/** How far a chain was read. */
export interface Cursor {
  network: Network;
  chain: string;
  height: number;
  hash: string;
  tip: number;
  readAt: Date;
}

const columns = [
  sql<Network>`network`.as('network'),
  'chain',
  'height',
  'hash',
  'tip',
  'read_at as readAt',
] as const;

/** False when somebody else reads this chain at this moment. Until the transaction ends. */
export async function mayRead(tx: Tx, network: Network): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`reader of ${network}`}, 0)) as mine`.execute(tx);
  return rows[0]?.mine ?? false;
}

export async function cursorOf(db: Db | Tx, network: Network): Promise<Cursor | null> {
  const row = await db
    .selectFrom('network_cursors')
    .select(columns)
    .where('network', '=', network)
    .executeTakeFirst();
  return row ?? null;
}

export async function allCursors(db: ReadDb): Promise<Cursor[]> {
  return db.selectFrom('network_cursors').select(columns).execute();
}

/** So many blocks back a branch may have begun. */
const keptBlocks = 1_000;

export interface BlockId {
  height: number;
  hash: string;
}

/** Where reading goes on, and the blocks that were read on the way there. */
export async function moveCursor(tx: Tx, cursor: Cursor, read: BlockId[] = []): Promise<void> {
  const { network, chain, height, hash, tip, readAt } = cursor;
  await tx
    .insertInto('network_cursors')
    .values({ network, chain, height, hash, tip, read_at: readAt })
    .onConflict((conflict) =>
      conflict.column('network').doUpdateSet({ chain, height, hash, tip, read_at: readAt }),
    )
    .execute();
  const blocks = [...read.filter((block) => block.height < height), { height, hash }];
  const from = Math.min(...blocks.map((block) => block.height));
  await sql`
    delete from network_blocks
    where network = ${network} and (height >= ${from} or height < ${height - keptBlocks})`.execute(tx);
  await tx
    .insertInto('network_blocks')
    .values(blocks.map((block) => ({ network, height: block.height, hash: block.hash })))
    .execute();
}

/** The blocks that were read below a height, the newest first. */
export async function blocksBelow(db: Db | Tx, network: Network, height: number): Promise<BlockId[]> {
  return db
    .selectFrom('network_blocks')
    .select(['height', 'hash'])
    .where('network', '=', network)
    .where('height', '<', height)
    .orderBy('height', 'desc')
    .execute();
}

export async function hashRead(tx: Tx, network: Network, height: number): Promise<string | null> {
  const { rows } = await sql<{ hash: string }>`
    select hash from network_blocks where network = ${network} and height = ${height}`.execute(tx);
  return rows[0]?.hash ?? null;
}

export interface StateRow extends WatchState {
  network: Network;
  since: Date;
  lookedAt: Date;
}

/** A state lasts since it was first found. */
export async function noteState(
  db: Db,
  network: Network,
  { state, said }: WatchState,
  now: Date,
): Promise<void> {
  await sql`
    insert into network_states (network, state, said, since, looked_at)
    values (${network}, ${state}, ${said}, ${now}, ${now})
    on conflict (network) do update set state = excluded.state, said = excluded.said, looked_at = excluded.looked_at,
      since = case when network_states.state = excluded.state then network_states.since else excluded.since end`.execute(
    db,
  );
}

export async function allStates(db: Db | Tx): Promise<StateRow[]> {
  const { rows } = await sql<StateRow>`
    select network, state, said, since, looked_at as "lookedAt" from network_states`.execute(db);
  return rows;
}

/** How it is with each chain, and how far it was read; null where nothing was read of it yet. */
export interface ChainHealth extends StateRow {
  height: number | null;
  tip: number | null;
}

export async function allHealth(db: Db): Promise<ChainHealth[]> {
  const { rows } = await sql<ChainHealth>`
    select s.network, s.state, s.said, s.since, s.looked_at as "lookedAt", c.height, c.tip
    from network_states s left join network_cursors c on c.network = s.network`.execute(db);
  return rows;
}
