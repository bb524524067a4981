import { sql } from 'kysely';
import type { Db, ReadDb, Tx } from '../../platform/postgres/db.ts';
import { prune } from '../../platform/postgres/prune.ts';
import type { Range, Tile, TileName } from './rules.ts';

/** How many entries have their place, whether others wait for theirs, and how far it is signed. */
export async function lookAtLog(db: Db): Promise<{ size: number; isWaiting: boolean; signed: number }> {
  const { rows } = await sql<{ size: bigint; isWaiting: boolean; signed: bigint }>`
    select size, exists (select from log_entries where place is null) as "isWaiting",
      coalesce((select max(size) from log_checkpoints), 0) as signed
    from log_size`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the log has no size');
  return { size: Number(row.size), isWaiting: row.isWaiting, signed: Number(row.signed) };
}

export async function lockSize(tx: Tx): Promise<number> {
  const { size } = await tx.selectFrom('log_size').select('size').forUpdate().executeTakeFirstOrThrow();
  return Number(size);
}

export interface WaitingEntry {
  id: bigint;
  entry: string;
}

export async function waitingEntries(tx: Tx, limit: number): Promise<WaitingEntry[]> {
  const { rows } = await sql<WaitingEntry>`
    select id, entry from log_entries where place is null order by id limit ${limit}`.execute(tx);
  return rows;
}

/** Gives entries their places, one after the other from the end of the log on. */
export async function placeEntries(tx: Tx, size: number, ids: bigint[], tiles: Tile[]): Promise<void> {
  await sql`
    update log_entries e set place = ${size}::bigint + t.number - 1
    from unnest(${ids}::bigint[]) with ordinality as t (id, number) where e.id = t.id`.execute(tx);
  await sql`
    insert into log_tiles (level, number, hashes)
    select * from unnest(${tiles.map(({ level }) => level)}::int[], ${tiles.map(({ number }) => number)}::bigint[],
      ${tiles.map(({ hashes }) => hashes)}::bytea[])
    on conflict (level, number) do update set hashes = excluded.hashes`.execute(tx);
  const { rows } = await sql`
    update log_size set size = ${size + ids.length} where size = ${size} returning size`.execute(tx);
  if (rows.length !== 1) throw new Error('the log was written by another meanwhile');
}

export async function readTiles(db: ReadDb, names: readonly TileName[]): Promise<Tile[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<{ level: number; number: bigint; hashes: Buffer }>`
    select level, number, hashes from log_tiles
    where (level, number) in (select * from unnest(${names.map(({ level }) => level)}::int[],
      ${names.map(({ number }) => number)}::bigint[]))`.execute(db);
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}

export async function entriesIn(db: ReadDb, { start, end }: Range): Promise<string[]> {
  const rows = await db
    .selectFrom('log_entries')
    .select('entry')
    .where('place', '>=', BigInt(start))
    .where('place', '<', BigInt(end))
    .orderBy('place')
    .execute();
  return rows.map(({ entry }) => entry);
}

/** A plan's entry has a second form, for terms that the first cannot tell. */
const formsOf = (kind: string) => (kind === 'plan' ? ['plan/v1', 'plan/v2'] : [`${kind}/v1`]);

/** The newest of a kind below a place. */
export async function entriesOfKind(
  db: ReadDb,
  { kind, below, limit }: { kind: string; below: number; limit: number },
): Promise<{ place: number; text: string }[]> {
  const rows = await db
    .selectFrom('log_entries')
    .select(['place', 'entry as text'])
    .where('kind', 'in', formsOf(kind))
    .where('place', '<', BigInt(below))
    .orderBy('place', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ place, text }) => ({ place: Number(place), text }));
}

export interface SignedCheckpoint {
  size: number;
  root: Buffer;
  signedAt: Date;
  note: string;
}

type CheckpointRow = Omit<SignedCheckpoint, 'size'> & { size: bigint };
const withNumber = (row: CheckpointRow | undefined) => (row ? { ...row, size: Number(row.size) } : null);

export async function newestCheckpoint(db: Db | Tx): Promise<SignedCheckpoint | null> {
  const { rows } = await sql<CheckpointRow>`
    select size, root, signed_at as "signedAt", note from log_checkpoints order by size desc limit 1`.execute(
    db,
  );
  return withNumber(rows[0]);
}

/** As it is signed now, whoever signed it first. */
const noteOfNow = sql`coalesce((select a.note from log_anew a where a.size = c.size), c.note)`;

/** The newest, whether it is served already or not. */
export async function newestOfNow(db: Db): Promise<SignedCheckpoint | null> {
  const { rows } = await sql<CheckpointRow>`
    select size, root, signed_at as "signedAt", ${noteOfNow} as note from log_checkpoints c
    order by size desc limit 1`.execute(db);
  return withNumber(rows[0]);
}

/** Null where it was signed so in the first place. */
export async function keepAnew(tx: Tx, anew: { size: number; note: string } | null): Promise<void> {
  await (anew === null
    ? sql`delete from log_anew`.execute(tx)
    : sql`insert into log_anew (size, note) values (${anew.size}, ${anew.note})
        on conflict (only_row) do update set size = excluded.size, note = excluded.note`.execute(tx));
}

/** Who has fallen silent for so long does not say it any more. */
const saidSince = sql`told_at > now() - interval '1 minute'`;

export async function tellStop(db: Db, server: string, reason: string): Promise<void> {
  await sql`insert into log_stops (server, reason) values (${server}, ${reason})
    on conflict (server) do update set reason = excluded.reason, told_at = now()`.execute(db);
}

export async function takeBackStop(db: Db, server: string): Promise<void> {
  await sql`delete from log_stops where server = ${server}`.execute(db);
}

/** Why another server does not sign; null when none says so. */
export async function stopOfOthers(db: Db | Tx, server: string): Promise<string | null> {
  const { rows } = await sql<{ reason: string }>`
    select reason from log_stops where server <> ${server} and ${saidSince} order by told_at desc limit 1`.execute(
    db,
  );
  return rows[0]?.reason ?? null;
}

export async function forgetStops(db: Db): Promise<void> {
  await prune(db, 'log_stops', sql`told_at < now() - interval '1 day'`);
}

export async function noteShown(db: Db, size: number): Promise<void> {
  await sql`update log_shown set size = ${size} where size < ${size}`.execute(db);
}

/**
 * The newest that all of these witnesses have signed, or that has waited long enough for them: by the clock, and when that
 * was set back since.
 */
export async function newestServed(
  db: Db,
  asked: { witnesses: string[]; shown: number; signedBefore: Date; signedAfter: Date },
): Promise<SignedCheckpoint | null> {
  const { witnesses, shown, signedBefore, signedAfter } = asked;
  const { rows } = await sql<CheckpointRow>`
    select size, root, signed_at as "signedAt", ${noteOfNow} as note from log_checkpoints c
    where size <= greatest(${shown}, (select size from log_shown)) or signed_at <= ${signedBefore} or signed_at > ${signedAfter} or ${witnesses.length} <= (select count(distinct s.witness)
      from log_cosignatures s where s.size = c.size and s.witness = any(${witnesses}::text[]))
    order by size desc limit 1`.execute(db);
  return withNumber(rows[0]);
}

export async function insertCheckpoint(tx: Tx, { signedAt, ...checkpoint }: SignedCheckpoint): Promise<void> {
  await tx
    .insertInto('log_checkpoints')
    .values({ ...checkpoint, size: BigInt(checkpoint.size), signed_at: signedAt })
    .execute();
}

/** What witnesses have said to a checkpoint, each line with the name it bears. */
export async function cosignaturesOf(db: Db, size: number): Promise<{ witness: string; line: string }[]> {
  return db
    .selectFrom('log_cosignatures')
    .select(['witness', 'line'])
    .where('size', '=', BigInt(size))
    .orderBy('cosigned_at')
    .execute();
}

export async function insertCosignature(
  db: Db,
  { size, witness, line, at }: { size: number; witness: string; line: string; at: Date },
): Promise<void> {
  await db
    .insertInto('log_cosignatures')
    .values({ size: BigInt(size), witness, line, cosigned_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The newest checkpoint that each has signed. */
export async function lastWitnessed(
  db: Db,
  witnesses: string[],
): Promise<Map<string, { size: number; at: Date }>> {
  const { rows } = await sql<{ witness: string; size: bigint; at: Date }>`
    select distinct on (witness) witness, size, cosigned_at as at from log_cosignatures
    where witness = any(${witnesses}::text[]) order by witness, size desc, cosigned_at desc`.execute(db);
  return new Map(rows.map(({ witness, size, at }) => [witness, { size: Number(size), at }]));
}
