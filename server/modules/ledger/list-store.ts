import type { WithdrawalStatus } from '@tallystick/contract/withdrawal';
import { sql } from 'kysely';
import type { ReadDb } from '../../platform/postgres/db.ts';
import type { Entry, Movement } from './rules.ts';

/** An entry with what its movement says. */
export interface ListedEntry
  extends Omit<Entry, 'movementId' | 'balanceBeforeCents' | 'hash'>,
    Pick<Movement, 'transactionid' | 'kind' | 'reference' | 'reason'> {
  hash: Buffer;
  /** Where a withdrawal stands whose money this entry took; null for every other entry. */
  withdrawalStatus: WithdrawalStatus | null;
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
  sql<WithdrawalStatus | null>`withdrawals.status`.as('withdrawalStatus'),
] as const;

function entriesOf(db: ReadDb, accountId: string) {
  return (
    db
      .selectFrom('ledger_entries')
      .innerJoin('ledger_movements', 'ledger_movements.id', 'ledger_entries.movement_id')
      // The movement that holds the money bears the withdrawal's own id; what pays or returns it has another.
      .leftJoin('withdrawals', 'withdrawals.transactionid', 'ledger_movements.transactionid')
      .select(columns)
      .where('ledger_entries.account_id', '=', accountId)
  );
}

/** In the order in which they were written, for whoever recomputes the chain. */
export async function entriesAfter(
  db: ReadDb,
  accountId: string,
  seq: bigint,
  limit: number,
): Promise<ListedEntry[]> {
  return entriesOf(db, accountId).where('seq', '>', seq).orderBy('seq').limit(limit).execute();
}

/** Newest first, from below a given number on; null begins with the newest. */
export async function entriesBefore(
  db: ReadDb,
  accountId: string,
  seq: bigint | null,
  limit: number,
): Promise<ListedEntry[]> {
  const query = entriesOf(db, accountId).orderBy('seq', 'desc').limit(limit);
  return (seq === null ? query : query.where('seq', '<', seq)).execute();
}

/**
 * Beyond so many entries an account has an index of its labels. The database uses it where it reads this very number, so
 * what bears a label is looked for in two parts.
 */
const firstOnes = sql.raw('256');
const parts = [sql`seq <= ${firstOnes}`, sql`seq > ${firstOnes}`];

/** How many entries there are of each label, between two numbers. */
export async function countLabels(
  db: ReadDb,
  accountId: string,
  { after, upTo }: { after: bigint; upTo: bigint },
): Promise<{ label: string; count: bigint }[]> {
  const each = parts.map(
    (part) => sql`
    select label from ledger_entries
    where account_id = ${accountId} and ${part} and seq > ${after} and seq <= ${upTo}`,
  );
  const { rows } = await sql<{ label: string; count: bigint }>`
    select label, count(*) as count from (${sql.join(each, sql` union all `)}) as counted
    group by label`.execute(db);
  return rows;
}

/** Null where there is no entry of that number. */
export async function hashOfEntry(db: ReadDb, accountId: string, seq: bigint): Promise<string | null> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select('hash')
    .where('account_id', '=', accountId)
    .where('seq', '=', seq)
    .execute();
  return rows[0]?.hash.toString('hex') ?? null;
}

interface Labelled {
  labels: string[];
  upTo: bigint;
  /** From which end they are counted. */
  order: 'newest' | 'oldest';
  skipped: number;
  length: number;
}

/** Newest first, whichever end they are counted from. */
async function labelled(
  db: ReadDb,
  accountId: string,
  { labels, upTo, order, skipped, length }: Labelled,
): Promise<ListedEntry[]> {
  const inOrder = order === 'newest' ? sql`seq desc` : sql`seq`;
  const each = parts.map(
    (part) => sql`(
        select seq from ledger_entries
        where account_id = ${accountId} and ${part} and label = wanted.label and seq <= ${upTo}
        order by ${inOrder} limit ${skipped + length})`,
  );
  const { rows } = await sql<ListedEntry>`
    select e.account_id as "accountId", e.seq, e.at, e.label, m.transactionid, m.kind, m.reference, m.reason,
      e.amount_cents as "amountCents", e.balance_after_cents as "balanceAfterCents", e.hash,
      w.status as "withdrawalStatus"
    from (
      select numbers.seq from unnest(${labels}::text[]) as wanted (label)
      cross join lateral (${sql.join(each, sql` union all `)}) as numbers
      order by ${inOrder} offset ${skipped} limit ${length}
    ) as page
    cross join lateral (
      select * from ledger_entries where account_id = ${accountId} and seq = page.seq limit 1
    ) as e
    join ledger_movements m on m.id = e.movement_id
    left join withdrawals w on w.transactionid = m.transactionid
    order by e.seq desc`.execute(db);
  return rows;
}

/** As `entriesBefore`, of those with these labels. */
export async function labelledBefore(
  db: ReadDb,
  accountId: string,
  labels: string[],
  seq: bigint | null,
  limit: number,
): Promise<ListedEntry[]> {
  const upTo = seq === null ? lastSeq : seq - 1n;
  return labelled(db, accountId, { labels, upTo, order: 'newest', skipped: 0, length: limit });
}

const lastSeq = 2n ** 63n - 1n;

/**
 * A page of the entries with these labels, newest first, of those that were counted. Their numbers are read from whichever
 * end of the list is nearer: the last page costs what the first does.
 */
export async function pageOfEntries(
  db: ReadDb,
  accountId: string,
  labels: string[],
  { offset, limit, total, upTo }: { offset: number; limit: number; total: number; upTo: bigint },
): Promise<ListedEntry[]> {
  const length = Math.min(limit, total - offset);
  if (length <= 0) return [];
  const before = total - offset - length;
  return before < offset
    ? labelled(db, accountId, { labels, upTo, order: 'oldest', skipped: before, length })
    : labelled(db, accountId, { labels, upTo, order: 'newest', skipped: offset, length });
}
