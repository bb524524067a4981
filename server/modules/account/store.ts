import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import type { Left } from './rules.ts';

/** What is under way to or from an account, besides its balances. */
export async function underWay(
  db: Db | Tx,
  userId: string,
): Promise<Pick<Left, 'deposits' | 'corrections'> & { frozen: boolean }> {
  const { rows } = await sql<{ deposits: number; corrections: number; frozen: boolean }>`
    select (select count(*) from funding_requests where user_id = ${userId} and status = 'pending')::int
      + (select count(*) from network_addresses a join network_payments p on p.address_id = a.id
        where a.owner_id = ${userId} and p.state = 'seen'
          and not exists (select from funding_requests f where f.payment_id = p.id))::int as deposits,
      (select count(*) from ledger_corrections where user_id = ${userId} and decided_at is null)::int as corrections,
      exists (select from withdrawal_freezes where user_id = ${userId}) as frozen`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a question without an answer');
  return row;
}
