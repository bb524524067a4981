import type { Db, Tx } from '../../../platform/postgres/db.ts';

/** Whose passkey it is. Investors and operators share the table and nothing else. */
export type PasskeyOwner = { userId: string } | { operatorId: string };

const ownerColumn = (owner: PasskeyOwner) => ('userId' in owner ? 'user_id' : 'operator_id');
const ownerId = (owner: PasskeyOwner) => ('userId' in owner ? owner.userId : owner.operatorId);

/** Whether a passkey is theirs, and of that kind. */
export const isTheirs = (passkey: Pick<PasskeyRow, 'userId' | 'operatorId'>, owner: PasskeyOwner): boolean =>
  'userId' in owner ? passkey.userId === owner.userId : passkey.operatorId === owner.operatorId;

export interface PasskeyRow {
  id: string;
  userId: string | null;
  operatorId: string | null;
  credentialId: string;
  publicKey: Buffer;
  counter: bigint;
  transports: string[];
  backedUp: boolean;
  name: string;
  createdAt: Date;
  usedAt: Date | null;
}

const columns = [
  'id',
  'user_id as userId',
  'operator_id as operatorId',
  'credential_id as credentialId',
  'public_key as publicKey',
  'counter',
  'transports',
  'backed_up as backedUp',
  'name',
  'created_at as createdAt',
  'used_at as usedAt',
] as const;

export async function passkeysOf(db: Db | Tx, owner: PasskeyOwner): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .select(columns)
    .where(ownerColumn(owner), '=', ownerId(owner))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function findPasskey(db: Db | Tx, credentialId: string): Promise<PasskeyRow | null> {
  const row = await db
    .selectFrom('passkeys')
    .select(columns)
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return row ?? null;
}

interface NewPasskey {
  credentialId: string;
  publicKey: Buffer;
  counter: bigint;
  transports: string[];
  backedUp: boolean;
  name: string;
  now: Date;
}

/** Null when it is registered already, with this account or another. */
export async function insertPasskey(
  tx: Tx,
  owner: PasskeyOwner,
  passkey: NewPasskey,
): Promise<PasskeyRow | null> {
  const row = await tx
    .insertInto('passkeys')
    .values({
      [ownerColumn(owner)]: ownerId(owner),
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      backed_up: passkey.backedUp,
      name: passkey.name,
      created_at: passkey.now,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(columns)
    .executeTakeFirst();
  return row ?? null;
}

export async function usePasskey(
  tx: Tx,
  id: string,
  { counter, backedUp, now }: { counter: bigint; backedUp: boolean; now: Date },
): Promise<void> {
  await tx
    .updateTable('passkeys')
    .set({ counter, backed_up: backedUp, used_at: now })
    .where('id', '=', id)
    .execute();
}

/** Null when it is not theirs. */
export async function namePasskey(
  tx: Tx,
  { userId, passkeyId, name }: { userId: string; passkeyId: string; name: string },
): Promise<PasskeyRow | null> {
  const row = await tx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', passkeyId)
    .where('user_id', '=', userId)
    .returning(columns)
    .executeTakeFirst();
  return row ?? null;
}

/** Null when it is not theirs. */
export async function deletePasskey(
  tx: Tx,
  owner: PasskeyOwner,
  passkeyId: string,
): Promise<{ name: string } | null> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('id', '=', passkeyId)
    .where(ownerColumn(owner), '=', ownerId(owner))
    .returning('name')
    .executeTakeFirst();
  return row ?? null;
}

export async function deletePasskeysOf(tx: Tx, owner: PasskeyOwner): Promise<void> {
  await tx.deleteFrom('passkeys').where(ownerColumn(owner), '=', ownerId(owner)).execute();
}
