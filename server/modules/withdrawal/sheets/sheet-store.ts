import type { Network } from '@tallystick/contract/networks';
import type { SheetState } from '@tallystick/contract/operator/payouts';
import type { WithdrawalStatus } from '@tallystick/contract/withdrawal';
import { sql } from 'kysely';
import type { Db, ReadDb, Tx } from '../../../platform/postgres/db.ts';
import type { ReleasedSheet } from './rules.ts';

export interface SheetRow {
  id: string;
  number: number;
  network: Network;
  state: SheetState;
  price: string;
  priceAt: Date;
  priceSource: string;
  /** On Bitcoin; what follows likewise. */
  satPerVbyte: number | null;
  psbt: Buffer | null;
  txid: string | null;
  feeUnits: bigint | null;
  vbytes: number | null;
  changeAddress: string | null;
  changePath: string | null;
  changeUnits: bigint | null;
  madeAt: Date;
  madeBy: string;
  expiresAt: Date;
  claimedAt: Date | null;
  claimedBy: string | null;
  firstReleasedAt: Date | null;
  firstReleasedBy: string | null;
  firstReleasedReason: string | null;
  releasedAt: Date | null;
  releasedBy: string | null;
}

const sheetsWhere = async (
  db: Db | Tx,
  condition: ReturnType<typeof sql>,
  last = sql``,
): Promise<SheetRow[]> => {
  const { rows } = await sql<SheetRow>`
    select s.id, s.number, s.network, s.state, s.price, s.price_at as "priceAt", s.price_source as "priceSource",
      s.sat_per_vbyte::float8 as "satPerVbyte", s.psbt, s.txid, s.fee_units as "feeUnits", s.vbytes,
      a.address as "changeAddress", k.path || '/' || a.branch || '/' || a.index as "changePath",
      s.change_units as "changeUnits", s.made_at as "madeAt", s.made_by as "madeBy", s.expires_at as "expiresAt",
      s.claimed_at as "claimedAt", s.claimed_by as "claimedBy", s.first_released_at as "firstReleasedAt",
      s.first_released_by as "firstReleasedBy", s.first_released_reason as "firstReleasedReason",
      s.released_at as "releasedAt", s.released_by as "releasedBy"
    from payout_sheets s
    left join network_addresses a on a.id = s.change_address_id
    left join network_keys k on k.id = a.key_id
    where ${condition} order by s.number desc ${last}`.execute(db);
  return rows;
};

export const openSheets = (db: Db): Promise<SheetRow[]> => sheetsWhere(db, sql`s.ended_at is null`);
export const endedSheets = (db: Db, limit: number): Promise<SheetRow[]> =>
  sheetsWhere(db, sql`s.ended_at is not null`, sql`limit ${limit}`);
export const sheetNamed = async (db: Db, id: string): Promise<SheetRow | null> =>
  (await sheetsWhere(db, sql`s.id = ${id}`))[0] ?? null;
export const lockSheet = async (tx: Tx, id: string): Promise<SheetRow | null> =>
  (await sheetsWhere(tx, sql`s.id = ${id}`, sql`for update of s`))[0] ?? null;

export interface NewSheet
  extends Pick<
    SheetRow,
    'id' | 'network' | 'price' | 'priceAt' | 'priceSource' | 'madeAt' | 'madeBy' | 'expiresAt'
  > {
  transaction: {
    satPerVbyte: number;
    psbt: Uint8Array;
    txid: string;
    feeUnits: bigint;
    vbytes: number;
    /** The payments that its coins came with. */
    inputs: string[];
    change: { addressId: bigint; units: bigint } | null;
  } | null;
  items: { withdrawalId: string; match: string; tag: bigint | null; units: bigint }[];
}

export async function insertSheet(tx: Tx, sheet: NewSheet): Promise<number> {
  const { transaction: paid, items } = sheet;
  const made = await tx
    .insertInto('payout_sheets')
    .values({
      id: sheet.id,
      network: sheet.network,
      price: sheet.price,
      price_at: sheet.priceAt,
      price_source: sheet.priceSource,
      sat_per_vbyte: paid?.satPerVbyte ?? null,
      psbt: paid ? Buffer.from(paid.psbt) : null,
      txid: paid?.txid ?? null,
      fee_units: paid?.feeUnits ?? null,
      vbytes: paid?.vbytes ?? null,
      change_address_id: paid?.change?.addressId ?? null,
      change_units: paid?.change?.units ?? null,
      made_at: sheet.madeAt,
      made_by: sheet.madeBy,
      expires_at: sheet.expiresAt,
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  const rows = items.map(({ withdrawalId, match, tag, units }, position) => ({
    sheet_id: sheet.id,
    position,
    withdrawal_id: withdrawalId,
    match,
    tag,
    units: String(units),
  }));
  await tx.insertInto('payout_items').values(rows).execute();
  const inputs = (paid?.inputs ?? []).map((payment_id, position) => ({
    sheet_id: sheet.id,
    position,
    payment_id,
  }));
  if (inputs.length > 0) await tx.insertInto('payout_inputs').values(inputs).execute();
  return made.number;
}

interface SheetChange {
  state?: SheetState;
  claimed?: { by: string; at: Date };
  firstReleased?: { by: string; at: Date; reason: string } | null;
  released?: { by: string; at: Date };
  endedAt?: Date;
}

export async function updateSheet(tx: Tx, id: string, change: SheetChange): Promise<void> {
  const { state, claimed, firstReleased, released, endedAt } = change;
  await tx
    .updateTable('payout_sheets')
    .set({
      ...(state && { state }),
      ...(claimed && { claimed_by: claimed.by, claimed_at: claimed.at }),
      ...(firstReleased !== undefined && {
        first_released_by: firstReleased?.by ?? null,
        first_released_at: firstReleased?.at ?? null,
        first_released_reason: firstReleased?.reason ?? null,
      }),
      ...(released && { released_by: released.by, released_at: released.at }),
      ...(endedAt && { ended_at: endedAt }),
    })
    .where('id', '=', id)
    .execute();
}

/** What nobody claimed in time is free for another sheet. */
export async function expireSheets(db: Db, now: Date): Promise<void> {
  await sql`
    update payout_sheets set state = 'expired', ended_at = ${now}
    where id in (select id from payout_sheets where state = 'made' and expires_at <= ${now} order by id
      for update skip locked)`.execute(db);
}

interface SheetOf extends Pick<SheetRow, 'id' | 'number' | 'state' | 'expiresAt'> {
  withdrawalId: string;
}

/**
 * The open sheets of these withdrawals, one at a time deciding about each: whoever marks the last as paid sees that.
 * What nobody has claimed in time is left out, and ends.
 */
export async function lockSheetsOf(tx: Tx, withdrawalIds: string[], now: Date): Promise<SheetOf[]> {
  const { rows } = await sql<SheetOf>`
    with mine as (
      select i.withdrawal_id, i.sheet_id from payout_items i
      where i.withdrawal_id = any (${withdrawalIds}::uuid[]) and i.open),
    locked as (
      select s.id, s.number, s.state, s.expires_at from payout_sheets s
      where s.id in (select sheet_id from mine) order by s.id for update)
    select mine.withdrawal_id as "withdrawalId", locked.id, locked.number, locked.state, locked.expires_at as "expiresAt"
    from mine join locked on locked.id = mine.sheet_id
    where locked.state in ('made', 'claimed')`.execute(tx);
  const late = rows.filter(({ state, expiresAt }) => state === 'made' && expiresAt <= now);
  for (const { id } of new Map(late.map((row) => [row.id, row])).values()) {
    await updateSheet(tx, id, { state: 'expired', endedAt: now });
  }
  return rows.filter((row) => !late.includes(row));
}

/** Open sheets of which nothing is left to pay. */
export async function endPaid(tx: Tx, withdrawalIds: string[], now: Date): Promise<void> {
  await sql`
    update payout_sheets s set state = 'paid', ended_at = ${now}
    where s.ended_at is null
      and s.id in (select i.sheet_id from payout_items i where i.withdrawal_id = any (${withdrawalIds}::uuid[]) and i.open)
      and not exists (select from payout_items i join withdrawals w on w.id = i.withdrawal_id
        where i.sheet_id = s.id and w.status = 'approved')`.execute(tx);
}

export interface ItemRow {
  sheetId: string;
  position: number;
  withdrawalId: string;
  transactionid: string;
  userId: string;
  address: string;
  tag: bigint | null;
  amountCents: bigint;
  units: bigint;
  status: WithdrawalStatus;
  chainTxid: string | null;
  spendId: string | null;
}

export async function itemsOf(db: Db | Tx, sheetIds: string[]): Promise<ItemRow[]> {
  const { rows } = await sql<Omit<ItemRow, 'units'> & { units: string }>`
    select i.sheet_id as "sheetId", i.position, i.withdrawal_id as "withdrawalId", w.transactionid, w.user_id as "userId",
      w.address, w.tag, w.amount_cents as "amountCents", i.units::text as units, w.status, w.chain_txid as "chainTxid",
      w.spend_id as "spendId"
    from payout_items i join withdrawals w on w.id = i.withdrawal_id
    where i.sheet_id = any (${sheetIds}::uuid[]) order by i.sheet_id, i.position`.execute(db);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

export async function inputsOf(
  db: Db | Tx,
  sheetIds: string[],
): Promise<{ sheetId: string; paymentId: string }[]> {
  return db
    .selectFrom('payout_inputs')
    .select(['sheet_id as sheetId', 'payment_id as paymentId'])
    .where('sheet_id', '=', sql<string>`any(${sheetIds}::uuid[])`)
    .orderBy('position')
    .execute();
}

/** Coins that an open sheet spends. */
export async function inputsHeld(db: Db | Tx): Promise<string[]> {
  const rows = await db
    .selectFrom('payout_inputs')
    .select('payment_id as id')
    .where('open', '=', true)
    .execute();
  return rows.map(({ id }) => id);
}

/** Released sheets with a transaction that pays one of these withdrawals. */
export async function releasedWith(
  db: Db | Tx,
  withdrawalIds: string[],
): Promise<(Omit<ReleasedSheet, 'inputs'> & { id: string })[]> {
  const { rows } = await sql<Omit<ReleasedSheet, 'inputs'> & { id: string }>`
    select s.id, s.number, s.txid from payout_sheets s
    where s.state = 'released' and s.txid is not null and exists (select from payout_items i
      where i.sheet_id = s.id and i.withdrawal_id = any (${withdrawalIds}::uuid[]))
    order by s.number`.execute(db);
  return rows;
}

/** The released sheets that a sheet can only be paid instead of: those that one of its coins is of. */
export async function replacedBy(db: Db, sheetIds: string[]): Promise<{ sheetId: string; number: number }[]> {
  const { rows } = await sql<{ sheetId: string; number: number }>`
    select distinct mine.sheet_id as "sheetId", s.number
    from payout_inputs mine
    join payout_inputs theirs on theirs.payment_id = mine.payment_id and theirs.sheet_id <> mine.sheet_id
    join payout_sheets s on s.id = theirs.sheet_id and s.state = 'released'
    join payout_sheets me on me.id = mine.sheet_id and me.number > s.number
    where mine.sheet_id = any (${sheetIds}::uuid[]) order by s.number`.execute(db);
  return rows;
}

/** The coins that a withdrawal is paid with, and at which price. */
export interface CoinsFor {
  units: bigint;
  price: string;
  priceAt: Date;
  priceSource: string;
}

/** By a sheet that is open; or, where it is paid, by the last that it stood on. */
export async function coinsFor(db: ReadDb, withdrawalIds: string[]): Promise<Map<string, CoinsFor>> {
  if (withdrawalIds.length === 0) return new Map();
  const { rows } = await sql<Omit<CoinsFor, 'units'> & { id: string; units: string }>`
    select distinct on (w.id) w.id, i.units::text as units, s.price, s.price_at as "priceAt",
      s.price_source as "priceSource"
    from withdrawals w join payout_items i on i.withdrawal_id = w.id join payout_sheets s on s.id = i.sheet_id
    left join network_spends p on p.id = w.spend_id
    where w.id = any (${withdrawalIds}::uuid[])
      and (i.open or (w.status = 'paid' and (p.units = i.units or (p.id is null and s.state = 'paid'))))
    order by w.id, s.number desc`.execute(db);
  return new Map(rows.map(({ id, ...row }) => [id, { ...row, units: BigInt(row.units) }]));
}
