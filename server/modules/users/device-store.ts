import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import { prune } from '../../platform/postgres/prune.ts';

/** Whose device it is. Investors and operators share the table and nothing else. */
export type DeviceOwner = { userId: string } | { operatorId: string };

const ownerColumn = (owner: DeviceOwner) => ('userId' in owner ? 'user_id' : 'operator_id');
const ownerId = (owner: DeviceOwner) => ('userId' in owner ? owner.userId : owner.operatorId);

/** The device of whoever has this e-mail address; null for a stranger, and where nobody has it. */
export async function findDeviceByEmail(
  db: Db | Tx,
  kind: 'investor' | 'operator',
  emailKey: string,
  secretHash: Buffer,
): Promise<string | null> {
  const devices = db.selectFrom('devices').select('devices.id').where('secret_hash', '=', secretHash);
  const row = await (kind === 'investor'
    ? devices.innerJoin('users', 'users.id', 'devices.user_id').where('users.email_key', '=', emailKey)
    : devices
        .innerJoin('operators', 'operators.id', 'devices.operator_id')
        .where('operators.email_key', '=', emailKey)
  ).executeTakeFirst();
  return row?.id ?? null;
}

export async function isAnyonesDevice(tx: Tx, secretHash: Buffer): Promise<boolean> {
  const row = await tx
    .selectFrom('devices')
    .select('id')
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that a device was used again; null when it is not one of the owner's. */
export async function touchDevice(
  tx: Tx,
  owner: DeviceOwner,
  secretHash: Buffer,
  now: Date,
): Promise<string | null> {
  const row = await tx
    .updateTable('devices')
    .set({ last_seen_at: now })
    .where(ownerColumn(owner), '=', ownerId(owner))
    .where('secret_hash', '=', secretHash)
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function insertDevice(
  tx: Tx,
  owner: DeviceOwner,
  secretHash: Buffer,
  now: Date,
): Promise<string> {
  const row = await tx
    .insertInto('devices')
    .values({
      [ownerColumn(owner)]: ownerId(owner),
      secret_hash: secretHash,
      first_seen_at: now,
      last_seen_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** All but the most recently used ones. */
export async function deleteDevicesBeyond(tx: Tx, owner: DeviceOwner, keptMax: number): Promise<void> {
  const column = sql.ref(ownerColumn(owner));
  await sql`delete from devices where id in (
    select id from devices where ${column} = ${ownerId(owner)}
    order by last_seen_at desc, id offset ${keptMax})`.execute(tx);
}

export async function deviceIdsOf(tx: Tx, owner: DeviceOwner): Promise<string[]> {
  const rows = await tx
    .selectFrom('devices')
    .select('id')
    .where(ownerColumn(owner), '=', ownerId(owner))
    .execute();
  return rows.map(({ id }) => id);
}

/** Forgets an owner's devices; one may be spared: the one that asks. */
export async function deleteDevicesOf(tx: Tx, owner: DeviceOwner, sparedId: string | null): Promise<void> {
  let query = tx.deleteFrom('devices').where(ownerColumn(owner), '=', ownerId(owner));
  if (sparedId) query = query.where('id', '!=', sparedId);
  await query.execute();
}

export async function deleteDevice(tx: Tx, owner: DeviceOwner, deviceId: string): Promise<void> {
  await tx
    .deleteFrom('devices')
    .where(ownerColumn(owner), '=', ownerId(owner))
    .where('id', '=', deviceId)
    .execute();
}

export async function deleteDevicesBefore(db: Db, lastSeenBefore: Date): Promise<void> {
  await prune(db, 'devices', sql`last_seen_at < ${lastSeenBefore}`);
}
