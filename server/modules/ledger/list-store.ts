import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';

export interface ListedEntry {
  accountId: string;
  seq: bigint;
  at: Date;
  label: string;
  transactionid: string;
  kind: string;
  reference: string | null;
  reason: string | null;
  amountCents: bigint;
  balanceAfterCents: bigint;
  hash: Buffer;
}

const columns = [
  'ledger_entries.account_id as accountId',
  'ledger_entries.seq',
  'ledger_entries.at',
  'ledger_entries.label',
  'ledger_movements.transactionid',
  'ledger_movements.kind',
  'ledger_movements.reference',
  'ledger_movements.reason',
  'ledger_entries.amount_cents as amountCents',
  'ledger_entries.balance_after_cents as balanceAfterCents',
  'ledger_entries.hash',
] as const;

function entriesOf(db: Db | Tx, accountId: string) {
  return db
    .selectFrom('ledger_entries')
    .innerJoin('ledger_movements', 'ledger_movements.id', 'ledger_entries.movement_id')
    .select(columns)
    .where('account_id', '=', accountId);
}

/** In the order in which they were written, for whoever recomputes the chain. */
export async function entriesAfter(
  db: Db | Tx,
  accountId: string,
  seq: bigint,
  limit: number,
): Promise<ListedEntry[]> {
  return entriesOf(db, accountId).where('seq', '>', seq).orderBy('seq').limit(limit).execute();
}

/** Newest first, from below a given number on; null begins with the newest. */
export async function entriesBefore(
  db: Db | Tx,
  accountId: string,
  seq: bigint | null,
  limit: number,
): Promise<ListedEntry[]> {
  let query = entriesOf(db, accountId).orderBy('seq', 'desc').limit(limit);
  if (seq !== null) query = query.where('seq', '<', seq);
  return query.execute();
}

export interface EntryFilter {
  /** A part of the label, whatever its case. */
  search: string | undefined;
  label: string | undefined;
}

const likeEscaped = (text: string) => text.replace(/[\\%_]/g, (character) => `\\${character}`);

function matching(filter: EntryFilter): Expression<SqlBool> {
  const search = filter.search
    ? sql<SqlBool>`label ilike ${`%${likeEscaped(filter.search)}%`}`
    : sql<SqlBool>`true`;
  const label = filter.label ? sql<SqlBool>`label = ${filter.label}` : sql<SqlBool>`true`;
  return sql<SqlBool>`${search} and ${label}`;
}

export async function countEntries(db: Db | Tx, accountId: string, filter: EntryFilter): Promise<number> {
  const row = await db
    .selectFrom('ledger_entries')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('account_id', '=', accountId)
    .where(matching(filter))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function pageOfEntries(
  db: Db | Tx,
  accountId: string,
  filter: EntryFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ListedEntry[]> {
  return entriesOf(db, accountId)
    .where(matching(filter))
    .orderBy('seq', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
}

export async function labelsOf(db: Db | Tx, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select('label')
    .distinct()
    .where('account_id', '=', accountId)
    .orderBy('label')
    .execute();
  return rows.map(({ label }) => label);
}
