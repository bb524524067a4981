import type { WithdrawalStatus } from '@tallystick/contract/withdrawal';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import type { Entry, Movement } from './rules.ts';

/** An entry with what its movement says. */
export interface ListedEntry
  extends Omit<Entry, 'movementId' | 'balanceBeforeCents'>,
    Pick<Movement, 'transactionid' | 'kind' | 'reference' | 'reason'> {
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

function entriesOf(db: Db | Tx, accountId: string) {
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
  db: Db | Tx,
  accountId: string,
  seq: bigint,
  limit: number,
): Promise<ListedEntry[]> {
  return entriesOf(db, accountId).where('seq', '>', seq).orderBy('seq').limit(limit).execute();
}

/** Newest first, from below a given number on; null begins with the newest. With labels, only what bears one of them. */
export async function entriesBefore(
  db: Db | Tx,
  accountId: string,
  seq: bigint | null,
  limit: number,
  labels: string[] | null = null,
): Promise<ListedEntry[]> {
  let query = entriesOf(db, accountId).orderBy('seq', 'desc').limit(limit);
  if (labels) query = query.where('ledger_entries.label', '=', sql<string>`any(${labels}::text[])`);
  if (seq !== null) query = query.where('seq', '<', seq);
  return query.execute();
}

/** Label by label, each counted in the index alone. */
export async function countEntries(db: Db | Tx, accountId: string, labels: string[]): Promise<number> {
  const { rows } = await sql<{ total: string }>`
    select sum(each.count) as total from unnest(${labels}::text[]) as wanted (label) cross join lateral (
      select count(*) from ledger_entries where account_id = ${accountId} and label = wanted.label
    ) as each`.execute(db);
  return Number(rows[0]?.total ?? 0);
}

/** The newest of each label by the index, then the newest of those: a page costs its own length, not the list's. */
export async function pageOfEntries(
  db: Db | Tx,
  accountId: string,
  labels: string[],
  { offset, limit }: { offset: number; limit: number },
): Promise<ListedEntry[]> {
  const { rows } = await sql<ListedEntry>`
    select e.account_id as "accountId", e.seq, e.at, e.label, m.transactionid, m.kind, m.reference, m.reason,
      e.amount_cents as "amountCents", e.balance_after_cents as "balanceAfterCents", e.hash,
      w.status as "withdrawalStatus"
    from (
      select newest.* from unnest(${labels}::text[]) as wanted (label) cross join lateral (
        select * from ledger_entries
        where account_id = ${accountId} and label = wanted.label
        order by seq desc limit ${offset + limit}
      ) as newest
      order by seq desc offset ${offset} limit ${limit}
    ) as e
    join ledger_movements m on m.id = e.movement_id
    left join withdrawals w on w.transactionid = m.transactionid
    order by e.seq desc`.execute(db);
  return rows;
}

/** Jumps from one label to the next by the index instead of reading every entry. */
export async function labelsOf(db: Db | Tx, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ label: string }>`
    with recursive found (label) as (
      (select label from ledger_entries where account_id = ${accountId} order by label limit 1)
      union all
      select (select label from ledger_entries
        where account_id = ${accountId} and label > found.label order by label limit 1)
      from found where found.label is not null
    )
    select label from found where label is not null order by label`.execute(db);
  return rows.map(({ label }) => label);
}
