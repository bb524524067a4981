import { sql } from 'kysely';
import { send, type Tx } from '../../platform/postgres/db.ts';
import { column, int, text } from '../../platform/postgres/wire/binary.ts';
import { copied } from '../../platform/postgres/wire/copy.ts';

/** Somebody's leaf, by where it stands. */
export interface OwnedLeaf {
  place: number;
  /** Of the investor in the statement. */
  number: number;
  piece: number;
  email: string;
}

const insertOwned = copied<OwnedLeaf>('proof_owned', {
  place: column(int, (leaf) => leaf.place),
  number: column(int, (leaf) => leaf.number),
  piece: column(int, (leaf) => leaf.piece),
  email: column(text, (leaf) => leaf.email),
});

/** Investors come in the order of their numbers, leaves are told in the order of the tree: the database sorts them. */
export async function openShares(tx: Tx, statement: bigint): Promise<void> {
  await sql`set local cursor_tuple_fraction = 1`.execute(tx);
  await sql`
    create temporary table proof_owned (place integer, number integer, piece integer, email text) on commit drop`.execute(
    tx,
  );
  await sql`
    declare proof_sharing no scroll cursor for
    select s.number, u.email, case when u.email_forgotten_at > t.made_at then u.email_sealed end as "sealedEmail"
    from proof_shares s join users u on u.id = s.user_id join proof_statements t on t.number = s.statement
    where s.statement = ${statement}::bigint`.execute(tx);
}

interface Share {
  number: number;
  email: string;
  /** Of an account that was closed and whose address was forgotten since: as the statement has it. */
  sealedEmail: string | null;
}

export async function nextShares(tx: Tx, count: number): Promise<Share[]> {
  const { rows } = await sql<Share>`
    fetch ${sql.raw(String(count))} from proof_sharing`.execute(tx);
  return rows;
}

export const keepOwned = (tx: Tx, leaves: OwnedLeaf[]): Promise<void> => send(tx, [insertOwned(leaves)]);

export async function openOwned(tx: Tx, statement: bigint): Promise<void> {
  await sql`declare proof_owning no scroll cursor for select * from proof_owned order by place`.execute(tx);
  await sql`
    declare proof_kept no scroll cursor for
    select number, nodes from proof_tiles where statement = ${statement}::bigint and level = 0 order by number`.execute(
    tx,
  );
}

export async function nextOwned(tx: Tx, count: number): Promise<OwnedLeaf[]> {
  const { rows } = await sql<OwnedLeaf>`fetch ${sql.raw(String(count))} from proof_owning`.execute(tx);
  return rows;
}

export async function nextKept(tx: Tx): Promise<{ number: number; nodes: Buffer } | undefined> {
  const { rows } = await sql<{ number: number; nodes: Buffer }>`fetch 1 from proof_kept`.execute(tx);
  return rows[0];
}
