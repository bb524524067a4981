import { randomUUIDv7 } from 'node:crypto';
import { investorAccounts } from '@tallystick/contract/ledger';
import { sql } from 'kysely';
import { type Db, prepared, type ReadDb, type Statement, type Tx } from '../../platform/postgres/db.ts';
import {
  bigint,
  column,
  columnOf,
  hexBytes,
  text,
  timestamptz,
  uuid,
} from '../../platform/postgres/wire/binary.ts';
import { copied } from '../../platform/postgres/wire/copy.ts';
import type { Account, AccountKind, AccountRef, ChangedAccount, Entry, Movement, Posted } from './rules.ts';

const moneyTime = prepared<{ now: Date }>(
  'money time',
  `select date_trunc('milliseconds', coalesce($1::timestamptz, clock_timestamp())) as now`,
);

/** The time by the clock that all servers share; a test's own goes before it. */
export async function timeOfMoney(on: ReadDb, given: Date | null): Promise<Date> {
  const [row] = await moneyTime(on, [given]);
  if (!row) throw new Error('the database did not tell the time');
  return row.now;
}

const lockedColumns = `a.id, a.kind, a.owner_id as "ownerId", a.balance_cents as "balanceCents",
  a.entry_count as "entryCount", encode(a.head, 'hex') as head, nullif(a.last_entry_at, '-infinity') as "lastEntryAt"`;

const ownedColumns = `select ${lockedColumns}
  from unnest($1::text[], $2::uuid[]) as wanted (kind, owner_id)
  join ledger_accounts a using (kind, owner_id)`;
const readOwned = prepared<Account>('read accounts', ownedColumns, { ofMoney: true });
const lockOwned = prepared<Account>('lock accounts', `${ownedColumns} order by a.id for update of a`);
const lockHouse = prepared<Account>(
  "lock the house's accounts",
  `select ${lockedColumns}
  from ledger_accounts a where a.owner_id is null and a.kind = any ($1::text[])
  order by a.id for update`,
);

/** Whoever comes at the same time mostly moves money at the same time, too: by their ids their accounts are beside each other. */
const makeAccounts = prepared(
  'make accounts',
  `insert into ledger_accounts (id, kind, owner_id)
  select id, kind, owner_id from unnest($1::text[], $2::uuid[], $3::uuid[]) as wanted (kind, owner_id, id)
  order by kind, owner_id
  on conflict do nothing`,
);

/**
 * Makes the named accounts where they are missing and locks them all: those with an owner in the order of their ids, then
 * the house's. Whoever locks several does so in the same order, so nobody waits in a circle.
 */
export async function lockAccounts(
  tx: Tx,
  names: AccountRef[],
  onceMade: () => void = () => {},
): Promise<Account[]> {
  const found = await lockNamed(tx, names);
  if (found.length === names.length) return found;
  const ids = columnOf(uuid, names, () => randomUUIDv7());
  await makeAccounts(tx, [...columnsOf(names), ids]);
  const locked = await lockNamed(tx, names);
  onceMade();
  return locked;
}

/** Those of them that are there and belong to someone, as they are at one moment. */
export const readAccounts = (db: Db, names: AccountRef[]): Promise<Account[]> =>
  readOwned(db, columnsOf(names));

const asKnown = `unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bytea[], $5::timestamptz[])
    as known (id, known_cents, known_count, known_head, known_at)
  join ledger_accounts a using (id)`;
/** All that is read is compared: what someone has changed beside the journal is not to be written over unseen. */
const isAnother = `a.balance_cents <> known_cents or a.entry_count <> known_count or a.head <> known_head
  or a.last_entry_at <> coalesce(known_at, '-infinity')`;

const knownColumns = (known: Account[]) => [
  columnOf(uuid, known, ({ id }) => id),
  columnOf(bigint, known, ({ balanceCents }) => balanceCents),
  columnOf(bigint, known, ({ entryCount }) => entryCount),
  columnOf(hexBytes, known, ({ head }) => head),
  columnOf(timestamptz, known, ({ lastEntryAt }) => lastEntryAt),
];

const readAnother = prepared<Account>(
  'read changed accounts',
  `select ${lockedColumns} from ${asKnown} where ${isAnother}`,
  { ofMoney: true },
);

/** Those that are not as they are known: to send all of them, and to read them here, would cost several times as much. */
export const readChanged = (db: Db, known: Account[]): Promise<Account[]> =>
  readAnother(db, knownColumns(known));

/** Counted before any of them is compared, so that all are locked by then, in the order of all. */
const lockAndCompare = prepared<Account & { count: number }>(
  'lock known accounts',
  `with locked as (
    select a.id, a.kind, a.owner_id, a.balance_cents, a.entry_count, a.head, a.last_entry_at,
      known_cents, known_count, known_head, known_at
    from ${asKnown} order by a.id for update of a)
  select found.count::int, ${lockedColumns}
  from (select count(*) from locked) as found left join locked a on ${isAnother}`,
);

/**
 * Locks accounts that belong to someone, and reads those that are not as they are known. Null where one of them is not there:
 * it was made in a transaction that is not over, or never will be.
 */
export async function lockKnown(tx: Tx, known: Account[]): Promise<Account[] | null> {
  const rows = await lockAndCompare(tx, knownColumns(known));
  return rows[0]?.count === known.length ? rows.filter(({ id }) => id !== null) : null;
}

const columnsOf = (names: AccountRef[]) => [
  columnOf(text, names, ({ kind }) => kind),
  columnOf(uuid, names, ({ ownerId }) => ownerId),
];

async function lockNamed(tx: Tx, names: AccountRef[]): Promise<Account[]> {
  const owned = names.filter(({ ownerId }) => ownerId !== null);
  const house = names.filter(({ ownerId }) => ownerId === null);
  const locked = await Promise.all([
    owned.length > 0 ? lockOwned(tx, columnsOf(owned)) : [],
    house.length > 0 ? lockHouse(tx, columnsOf(house).slice(0, 1)) : [],
  ]);
  return locked.flat();
}

const insertMovements = copied<Movement>('ledger_movements', {
  id: column(uuid, (m) => m.id),
  transactionid: column(text, (m) => m.transactionid),
  kind: column(text, (m) => m.kind),
  at: column(timestamptz, (m) => m.at),
  reference: column(text, (m) => m.reference),
  reason: column(text, (m) => m.reason),
  body_sha256: column(hexBytes, (m) => m.bodySha256),
});

const insertEntries = copied<Entry>('ledger_entries', {
  account_id: column(uuid, (e) => e.accountId),
  seq: column(bigint, (e) => e.seq),
  movement_id: column(uuid, (e) => e.movementId),
  at: column(timestamptz, (e) => e.at),
  label: column(text, (e) => e.label),
  amount_cents: column(bigint, (e) => e.amountCents),
  balance_before_cents: column(bigint, (e) => e.balanceBeforeCents),
  balance_after_cents: column(bigint, (e) => e.balanceAfterCents),
  hash: column(hexBytes, (e) => e.hash),
});

/**
 * In the order of their ids, as they are locked. A division by zero ends the transaction when one is not as it was: no
 * trip is needed to look. The head alone would tell, but for a balance or a number of entries that someone has changed beside
 * the journal: what is remembered must not be written over it, or no check would ever find it. The time of the last entry is not
 * compared: nothing adds up by it, and what is written is later than the entries are.
 */
const accountRows = {
  name: 'update accounts',
  text: `with changed as (
    update ledger_accounts a set
      balance_cents = s.balance_cents, entry_count = s.entry_count, head = s.head, last_entry_at = s.last_entry_at
    from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bytea[], $5::timestamptz[], $6::bytea[], $7::bigint[],
        $8::bigint[])
      as s (id, balance_cents, entry_count, head, last_entry_at, head_before, cents_before, count_before)
    where a.id = s.id and a.head = s.head_before and a.balance_cents = s.cents_before
      and a.entry_count = s.count_before
    returning 1)
  select 1 / (count(*) = cardinality($1))::int from changed`,
};

function updateAccounts(changed: ChangedAccount[]): Statement[] {
  if (changed.length === 0) return [];
  const accounts = changed.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const values = [
    columnOf(uuid, accounts, (a) => a.id),
    columnOf(bigint, accounts, (a) => a.balanceCents),
    columnOf(bigint, accounts, (a) => a.entryCount),
    columnOf(hexBytes, accounts, (a) => a.head),
    columnOf(timestamptz, accounts, (a) => a.lastEntryAt),
    columnOf(hexBytes, accounts, (a) => a.headBefore),
    columnOf(bigint, accounts, (a) => a.balanceBeforeCents),
    columnOf(bigint, accounts, (a) => a.entriesBefore),
  ];
  return [{ ...accountRows, values }];
}

/**
 * What was posted to a book, in the order in which it is written. First the accounts that belong to someone, whose rows nobody
 * else can change from then on, last the house's, at which many meet: whoever writes them waits for whoever has, until that
 * is over.
 */
export interface BookRows {
  owned: Statement[];
  journal: Statement[];
  house: Statement[];
}

export function bookRows({ movements, entries, accounts }: Posted): BookRows {
  if (entries.length === 0) return { owned: [], journal: [], house: [] };
  const { owned = [], house = [] } = Object.groupBy(accounts, ({ ownerId }) => (ownerId ? 'owned' : 'house'));
  return {
    owned: updateAccounts(owned),
    journal: [insertMovements(movements), insertEntries(entries)],
    house: updateAccounts(house),
  };
}

/**
 * Whether a transaction failed because an account was not as it was remembered, or not there yet: whoever makes it is still
 * at it. Triggers say that something is missing without the name of a constraint; what is missing for good is so again when
 * nothing is guessed.
 */
export function isWrongGuess({ code, constraint }: Error & { code?: string; constraint?: string }): boolean {
  const isMissing = code === '23503' && constraint === undefined;
  return code === '22012' || isMissing || constraint === 'ledger_entries_pkey';
}

export const accountColumns = [
  'id',
  sql<AccountKind>`kind`.as('kind'),
  'owner_id as ownerId',
  'balance_cents as balanceCents',
  'entry_count as entryCount',
  sql<string>`encode(head, 'hex')`.as('head'),
  sql<Date | null>`nullif(last_entry_at, '-infinity')`.as('lastEntryAt'),
] as const;

export async function findAccount(db: ReadDb, { kind, ownerId }: AccountRef): Promise<Account | null> {
  const row = await db
    .selectFrom('ledger_accounts')
    .select(accountColumns)
    .where('kind', '=', kind)
    .where('owner_id', 'is not distinct from', ownerId)
    .executeTakeFirst();
  return row ?? null;
}

type InvestorsAccount = Omit<Account, 'lastEntryAt'>;
/** Kind by kind, which the index begins with. */
const readInvestors = prepared<InvestorsAccount>(
  'accounts of investors',
  `select id, kind, owner_id as "ownerId", balance_cents as "balanceCents", entry_count as "entryCount",
     encode(head, 'hex') as head
   from ledger_accounts where kind = any ($1::text[]) and owner_id = any ($2::uuid[])`,
);

/** The accounts of each investor, in their order, as they are at one moment. */
export async function accountsOf(db: Db, ownerIds: string[]): Promise<InvestorsAccount[][]> {
  const rows = await readInvestors(db, [
    columnOf(text, [...investorAccounts], (kind) => kind),
    columnOf(uuid, ownerIds, (id) => id),
  ]);
  const found = Map.groupBy(rows, ({ ownerId }) => ownerId);
  return ownerIds.map((ownerId) => found.get(ownerId) ?? []);
}

/** What the account held at each of the moments: the balance after its last entry up to then. */
export async function balancesAt(db: ReadDb, accountId: string, moments: Date[]): Promise<bigint[]> {
  const { rows } = await sql<{ balance: bigint | null }>`
    select e.balance_after_cents as balance
    from unnest(${moments}::timestamptz[]) with ordinality as m (at, n)
    left join ledger_entries e on e.account_id = ${accountId}
      and e.seq = ledger_entries_before(${accountId}, m.at + interval '1 microsecond')
    order by m.n`.execute(db);
  return rows.map(({ balance }) => balance ?? 0n);
}
