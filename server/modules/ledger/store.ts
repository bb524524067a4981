import { sql } from 'kysely';
import { type Db, prepared, type Tx } from '../../platform/postgres/db.ts';
import type { Account, AccountKind, AccountRef, Entry, Movement } from './rules.ts';

/** Bounds how long this transaction waits for a row, and tells the time by the clock that all servers share. */
export async function beginMoney(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`
    select set_config('lock_timeout', '3s', true), date_trunc('milliseconds', clock_timestamp()) as now`.execute(
    tx,
  );
  const [row] = rows;
  if (!row) throw new Error('the database did not tell the time');
  return row.now;
}

/**
 * Makes the named accounts where they are missing and locks them all in the order of their ids: whoever locks several
 * does so in the same order, so nobody waits in a circle.
 */
export async function lockAccounts(tx: Tx, names: AccountRef[]): Promise<Account[]> {
  const owned = names.filter(({ ownerId }) => ownerId !== null);
  const house = names.filter(({ ownerId }) => ownerId === null);
  // Found by the index first, each kind of name in its own way, and locked by id: an account's id never changes.
  const lock = () =>
    sql<Account>`
      select a.id, a.kind, a.owner_id as "ownerId", a.balance_cents as "balanceCents", a.entry_count as "entryCount",
        a.head, nullif(a.last_entry_at, '-infinity') as "lastEntryAt"
      from ledger_accounts a
      where a.id = any (array(
        select o.id from ledger_accounts o
        join unnest(${owned.map(({ kind }) => kind)}::text[], ${owned.map(({ ownerId }) => ownerId)}::uuid[])
          as wanted (kind, owner_id) using (kind, owner_id)
        union all
        select h.id from ledger_accounts h
        where h.owner_id is null and h.kind = any (${house.map(({ kind }) => kind)}::text[])))
      order by a.id
      for update`.execute(tx);
  const found = await lock();
  if (found.rows.length === names.length) return found.rows;
  await sql`
    insert into ledger_accounts (kind, owner_id)
    select kind, owner_id
    from unnest(${names.map(({ kind }) => kind)}::text[], ${names.map(({ ownerId }) => ownerId)}::uuid[])
      as wanted (kind, owner_id)
    order by kind, owner_id
    on conflict do nothing`.execute(tx);
  return (await lock()).rows;
}

export async function insertMovements(tx: Tx, movements: Movement[]): Promise<void> {
  await sql`
    insert into ledger_movements (id, transactionid, kind, at, reference, reason)
    select * from unnest(
      ${movements.map((m) => m.id)}::uuid[], ${movements.map((m) => m.transactionid)}::text[],
      ${movements.map((m) => m.kind)}::text[], ${movements.map((m) => m.at)}::timestamptz[],
      ${movements.map((m) => m.reference)}::text[], ${movements.map((m) => m.reason)}::text[])`.execute(tx);
}

export async function insertEntries(tx: Tx, entries: Entry[]): Promise<void> {
  await sql`
    insert into ledger_entries (account_id, seq, movement_id, at, label,
      amount_cents, balance_before_cents, balance_after_cents, hash)
    select * from unnest(
      ${entries.map((e) => e.accountId)}::uuid[], ${entries.map((e) => e.seq)}::bigint[],
      ${entries.map((e) => e.movementId)}::uuid[], ${entries.map((e) => e.at)}::timestamptz[],
      ${entries.map((e) => e.label)}::text[], ${entries.map((e) => e.amountCents)}::bigint[],
      ${entries.map((e) => e.balanceBeforeCents)}::bigint[], ${entries.map((e) => e.balanceAfterCents)}::bigint[],
      ${entries.map((e) => e.hash)}::bytea[])`.execute(tx);
}

export async function updateAccounts(tx: Tx, accounts: Account[]): Promise<void> {
  await sql`
    update ledger_accounts a set
      balance_cents = s.balance_cents, entry_count = s.entry_count, head = s.head, last_entry_at = s.last_entry_at
    from unnest(
      ${accounts.map((a) => a.id)}::uuid[], ${accounts.map((a) => a.balanceCents)}::bigint[],
      ${accounts.map((a) => a.entryCount)}::bigint[], ${accounts.map((a) => a.head)}::bytea[],
      ${accounts.map((a) => a.lastEntryAt)}::timestamptz[]
    ) as s (id, balance_cents, entry_count, head, last_entry_at)
    where a.id = s.id`.execute(tx);
}

export interface CommandKey {
  scope: string;
  key: string;
  bodySha256: Buffer;
}

/**
 * Claims the keys that are new. A key that another transaction is just claiming makes this one wait until that is
 * decided, so the same key never has two effects.
 */
export async function claimCommands(
  tx: Tx,
  commands: CommandKey[],
  now: Date,
): Promise<{ scope: string; key: string }[]> {
  const { rows } = await sql<{ scope: string; key: string }>`
    insert into ledger_commands (scope, key, body_sha256, at)
    select scope, key, body, ${now} from unnest(
      ${commands.map((c) => c.scope)}::text[], ${commands.map((c) => c.key)}::text[],
      ${commands.map((c) => c.bodySha256)}::bytea[]) as c (scope, key, body)
    order by scope, key
    on conflict do nothing
    returning scope, key`.execute(tx);
  return rows;
}

interface AnsweredCommand extends CommandKey {
  answer: unknown;
}

export async function findCommands(
  tx: Tx,
  keys: { scope: string; key: string }[],
): Promise<AnsweredCommand[]> {
  const { rows } = await sql<AnsweredCommand>`
    select c.scope, c.key, c.body_sha256 as "bodySha256", c.answer from ledger_commands c
    join unnest(${keys.map((k) => k.scope)}::text[], ${keys.map((k) => k.key)}::text[]) as wanted (scope, key)
      using (scope, key)`.execute(tx);
  return rows;
}

export async function answerCommands(
  tx: Tx,
  answers: { scope: string; key: string; answer: unknown }[],
): Promise<void> {
  await sql`
    update ledger_commands c set answer = a.answer
    from unnest(${answers.map((a) => a.scope)}::text[], ${answers.map((a) => a.key)}::text[],
      ${answers.map((a) => JSON.stringify(a.answer))}::jsonb[]) as a (scope, key, answer)
    where c.scope = a.scope and c.key = a.key`.execute(tx);
}

export const accountColumns = [
  'id',
  sql<AccountKind>`kind`.as('kind'),
  'owner_id as ownerId',
  'balance_cents as balanceCents',
  'entry_count as entryCount',
  'head',
  sql<Date | null>`nullif(last_entry_at, '-infinity')`.as('lastEntryAt'),
] as const;

export async function findAccount(db: Db | Tx, { kind, ownerId }: AccountRef): Promise<Account | null> {
  const row = await db
    .selectFrom('ledger_accounts')
    .select(accountColumns)
    .where('kind', '=', kind)
    .where('owner_id', 'is not distinct from', ownerId)
    .executeTakeFirst();
  return row ?? null;
}

const investorsKinds = ['wallet', 'invested', 'withdrawing'] as const satisfies AccountKind[];
type InvestorsAccount = Omit<Account, 'lastEntryAt'>;
/** Kind by kind, which the index begins with. */
const readAccounts = prepared<InvestorsAccount>(
  'accounts of investors',
  `select id, kind, owner_id as "ownerId", balance_cents as "balanceCents", entry_count as "entryCount", head
   from ledger_accounts where kind = any ($1::text[]) and owner_id = any ($2::uuid[])`,
);

/** The accounts of each investor, in their order, as they are at one moment. */
export async function accountsOf(db: Db, ownerIds: string[]): Promise<InvestorsAccount[][]> {
  const rows = await readAccounts(db, [investorsKinds, ownerIds]);
  const found = Map.groupBy(rows, ({ ownerId }) => ownerId);
  return ownerIds.map((ownerId) => found.get(ownerId) ?? []);
}

/** What the account held at a moment: the balance after its last entry up to then. */
export async function balanceAt(db: Db | Tx, accountId: string, at: Date): Promise<bigint> {
  const row = await db
    .selectFrom('ledger_entries')
    .select('balance_after_cents')
    .where('account_id', '=', accountId)
    .where('at', '<=', at)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .executeTakeFirst();
  return row?.balance_after_cents ?? 0n;
}

/** The balance at the end of each of the given moments, in one statement. */
export async function balancesAt(db: Db | Tx, accountId: string, moments: Date[]): Promise<bigint[]> {
  const { rows } = await sql<{ balance: bigint | null }>`
    select (select e.balance_after_cents from ledger_entries e
      where e.account_id = ${accountId} and e.at <= m.at order by e.at desc, e.seq desc limit 1) as balance
    from unnest(${moments}::timestamptz[]) with ordinality as m (at, n) order by m.n`.execute(db);
  return rows.map(({ balance }) => balance ?? 0n);
}
