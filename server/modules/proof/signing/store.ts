import type { Network } from '@tallystick/contract/networks';
import { sql } from 'kysely';
import type { SigningScheme } from '../../../platform/chains/signed-text.ts';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import type { AddressSignature, OwnAddress } from './rules.ts';

export interface SignatureRow extends AddressSignature {
  enteredBy: string;
  enteredAt: Date;
}

/** Of the log that goes by this name. */
export async function signaturesUnder(db: Db | Tx, origin: string): Promise<SignatureRow[]> {
  return db
    .selectFrom('address_signatures')
    .select([
      'origin',
      sql<Network>`network`.as('network'),
      'address',
      'message',
      sql<SigningScheme>`scheme`.as('scheme'),
      'signature',
      'public_key as publicKey',
      'entered_by as enteredBy',
      'entered_at as enteredAt',
    ])
    .where('origin', '=', origin)
    .execute();
}

export async function isSigned(tx: Tx, origin: string, { network, address }: OwnAddress): Promise<boolean> {
  const found = await tx
    .selectFrom('address_signatures')
    .select('address')
    .where('origin', '=', origin)
    .where('network', '=', network)
    .where('address', '=', address)
    .executeTakeFirst();
  return found !== undefined;
}

export async function insertSignature(
  tx: Tx,
  { publicKey, enteredBy, enteredAt, ...signed }: SignatureRow,
  entryId: bigint,
): Promise<void> {
  await tx
    .insertInto('address_signatures')
    .values({
      ...signed,
      public_key: publicKey,
      entered_by: enteredBy,
      entered_at: enteredAt,
      entry_id: entryId,
    })
    .execute();
}
