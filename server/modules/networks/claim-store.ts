import { sql } from 'kysely';
import type { Tx } from '../../platform/postgres/db.ts';

/** A payment on a chain that has its use; without an output, the whole transaction. */
export interface Claim {
  network: string;
  txid: string;
  output: number | null;
  use: 'deposit' | 'payout';
  /** The request or the withdrawal. */
  transactionid: string;
  /** False while the first of two operators has named it. */
  final: boolean;
}

/** Of the given transactions. */
export async function claimsOf(tx: Tx, txids: string[]): Promise<Claim[]> {
  if (txids.length === 0) return [];
  const { rows } = await sql<Claim>`
    select network, txid, output, use, transactionid, final from payment_claims
    where txid = any (${txids}::text[])`.execute(tx);
  return rows;
}

/** Fails when one of them is claimed already: then nothing of its transaction may stay. */
export async function insertClaims(tx: Tx, claims: Claim[]): Promise<void> {
  if (claims.length > 0) await tx.insertInto('payment_claims').values(claims).execute();
}

export async function makeFinal(tx: Tx, transactionids: string[]): Promise<void> {
  await sql`
    update payment_claims set final = true
    where transactionid = any (${transactionids}::text[]) and not final`.execute(tx);
}

/** What the first of two operators has named is free again. */
export async function giveUpClaims(tx: Tx, transactionids: string[]): Promise<void> {
  await sql`
    delete from payment_claims where transactionid = any (${transactionids}::text[]) and not final`.execute(
    tx,
  );
}
