import { sql } from 'kysely';
import { type Db, type ReadDb, send, type Tx } from '../../platform/postgres/db.ts';
import { bigint, bytea, column, int } from '../../platform/postgres/wire/binary.ts';
import { copied } from '../../platform/postgres/wire/copy.ts';
import type { Amounts } from './rules.ts';
import type { Tile } from './tile-rules.ts';

export interface StatementRow {
  number: bigint;
  at: Date;
  madeAt: Date;
  origin: string;
  depth: number;
  root: Buffer;
  investors: number;
  owed: Amounts;
  heldCents: bigint | null;
  typedCents: bigint | null;
  sealedKey: string;
  /** In the log; null until it is appended. */
  place: bigint | null;
}

type Columns = Omit<StatementRow, 'owed'> & {
  wallet: bigint;
  invested: bigint;
  profit: bigint;
  withdrawing: bigint;
};

const statementColumns = sql`
  s.number, s.at, s.made_at as "madeAt", s.origin, s.depth, s.root, s.investors, s.wallet_cents as wallet,
  s.invested_cents as invested, s.profit_cents as profit, s.withdrawing_cents as withdrawing,
  s.held_cents as "heldCents", s.typed_cents as "typedCents", s.sealed_key as "sealedKey", e.place
  from proof_statements s join log_entries e on e.id = s.entry_id`;

const rowOf = ({ wallet, invested, profit, withdrawing, ...row }: Columns): StatementRow => ({
  ...row,
  owed: [wallet, invested, profit, withdrawing],
});

/** Newest first. */
export async function newestStatements(db: ReadDb, limit: number): Promise<StatementRow[]> {
  const { rows } = await sql<Columns>`
    select ${statementColumns} order by s.number desc limit ${limit}`.execute(db);
  return rows.map(rowOf);
}

export async function findStatement(db: ReadDb, number: bigint): Promise<StatementRow | null> {
  const { rows } = await sql<Columns>`select ${statementColumns} where s.number = ${number}`.execute(db);
  return rows[0] ? rowOf(rows[0]) : null;
}

export async function insertStatement(
  tx: Tx,
  row: Omit<StatementRow, 'place' | 'madeAt'> & { entryId: bigint },
): Promise<void> {
  const [wallet_cents, invested_cents, profit_cents, withdrawing_cents] = row.owed;
  const { number, at, origin, depth, root, investors } = row;
  await tx
    .insertInto('proof_statements')
    .values({
      number,
      at,
      origin,
      depth,
      root,
      investors,
      wallet_cents,
      invested_cents,
      profit_cents,
      withdrawing_cents,
      held_cents: row.heldCents,
      typed_cents: row.typedCents,
      sealed_key: row.sealedKey,
      entry_id: row.entryId,
    })
    .execute();
}

/**
 * Whether one is owed by the calendar: the last is from before the newest of these times of day. Or the log has got
 * another name since: under that nobody finds themselves in the last.
 */
export async function isDue(
  db: Db,
  { minutesAfterMidnight, origin }: { minutesAfterMidnight: number; origin: string },
): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select coalesce((select origin from proof_statements order by number desc limit 1) <> ${origin}, false)
      or coalesce((select max(made_at) from proof_statements), (select marked_at from installation), now())
      < date_trunc('day', now() - make_interval(mins => ${minutesAfterMidnight}::int), 'UTC')
        + make_interval(mins => ${minutesAfterMidnight}::int) as due`.execute(db);
  return rows[0]?.due ?? false;
}

export interface Moment {
  now: Date;
  /** The newest number in the audit log that was drawn, whether or not its entry will stay. */
  auditId: bigint;
}

/** By the clock that all servers share; a test's own goes before it. */
export async function momentOf(tx: Tx, given: Date | null): Promise<Moment> {
  const { rows } = await sql<Moment>`
    select coalesce(${given}::timestamptz, clock_timestamp()) as now,
      (select case when is_called then last_value else 0 end from audit_log_id_seq) as "auditId"`.execute(tx);
  if (!rows[0]) throw new Error('the database did not tell the time');
  return rows[0];
}

/** Leaves arrive in the order of investors and are kept in the order of their places. */
export async function makeRoomForLeaves(tx: Tx): Promise<void> {
  await sql`create temporary table proof_leaves (place integer not null, kept bytea not null) on commit drop`.execute(
    tx,
  );
  await sql`set local work_mem = '128MB'`.execute(tx);
  // All of what is asked for is read, and the first of it need not come soon: whole tables from their beginning to their
  // end, not row by row in the order of an index.
  await sql`set local cursor_tuple_fraction = 1`.execute(tx);
  await sql`set local random_page_cost = 100`.execute(tx);
  await sql`set local enable_mergejoin = off`.execute(tx);
}

/** What comes from another thread has lost that it is a buffer. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

export async function copyLeaves(
  tx: Tx,
  { shares, leaves }: { shares: Uint8Array; leaves: Uint8Array },
): Promise<void> {
  await send(tx, [
    {
      name: 'copy proof_shares',
      text: 'copy proof_shares (statement, number, user_id) from stdin (format binary)',
      rows: bufferOf(shares),
    },
    {
      name: 'copy proof_leaves',
      text: 'copy proof_leaves (place, kept) from stdin (format binary)',
      rows: bufferOf(leaves),
    },
  ]);
}

export async function keepLeaves(tx: Tx, statement: bigint): Promise<void> {
  await sql`
    insert into proof_tiles (statement, level, number, nodes)
    select ${statement}::bigint, 0, place >> 8, string_agg(kept, '' order by place) from proof_leaves
    group by place >> 8`.execute(tx);
  await sql`
    declare proof_rows no scroll cursor for
    select number, nodes from proof_tiles where statement = ${statement}::bigint and level = 0 order by number`.execute(
    tx,
  );
}

export async function nextRows(tx: Tx, count: number): Promise<{ number: number; nodes: Buffer }[]> {
  const { rows } = await sql<{ number: number; nodes: Buffer }>`
    fetch ${sql.raw(String(count))} from proof_rows`.execute(tx);
  return rows;
}

const insertTiles = copied<Tile & { statement: bigint }>('proof_tiles', {
  statement: column(bigint, (tile) => tile.statement),
  level: column(int, (tile) => tile.level),
  number: column(int, (tile) => tile.number),
  nodes: column(bytea, (tile) => tile.nodes),
});

export async function keepTiles(tx: Tx, statement: bigint, tiles: Tile[]): Promise<void> {
  if (tiles.length > 0) await send(tx, [insertTiles(tiles.map((tile) => ({ ...tile, statement })))]);
}

export async function shareOf(db: ReadDb, statement: bigint, userId: string) {
  return db
    .selectFrom('proof_shares')
    .innerJoin('users', 'users.id', 'proof_shares.user_id')
    .select(['number', 'email'])
    .where('statement', '=', statement)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export async function tilesNamed(
  db: ReadDb,
  statement: bigint,
  wanted: { level: number; number: number }[],
): Promise<Tile[]> {
  const { rows } = await sql<Tile>`
    select t.level, t.number, t.nodes
    from (select distinct * from unnest(${wanted.map(({ level }) => level)}::int[],
      ${wanted.map(({ number }) => number)}::int[]) as n (level, number)) as w
    join proof_tiles t on t.statement = ${statement}::bigint and t.level = w.level and t.number = w.number`.execute(
    db,
  );
  return rows;
}
