import { sql } from 'kysely';
import { type Db, prepared, type Statement, type Tx } from '../../platform/postgres/db.ts';
import { columnOf, text, uuid } from '../../platform/postgres/wire/binary.ts';
import type { InvestmentRow } from './store.ts';

/** Whoever is told of so many does not need the rest. */
const countedMax = 10_000;

/** How many have matured and are not paid yet, and how long the oldest of them has been so. */
export async function overdueInvestments(
  db: Db,
  givenTime: Date | null,
): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await sql<{ count: number; oldestSeconds: number }>`
    select count(*)::int as count,
      coalesce(max(extract(epoch from coalesce(${givenTime}::timestamptz, now()) - matures_at)), 0)::float8
        as "oldestSeconds"
    from (select matures_at from investments
      where settled_at is null and matures_at <= coalesce(${givenTime}::timestamptz, now())
      order by matures_at limit ${countedMax}) as due`.execute(db);
  return rows[0] ?? { count: 0, oldestSeconds: 0 };
}

type PaidBack = 'id' | 'userId' | 'transactionid' | 'amountCents' | 'profitCents';
export type DueInvestment = Pick<InvestmentRow, PaidBack>;
/** Investors are dealt out among so many who settle at once. */
export const settlementParts = 3;

const dueRows = prepared<DueInvestment>(
  'take what is due',
  `select id, user_id as "userId", transactionid, amount_cents as "amountCents", profit_cents as "profitCents"
  from investments
  where settled_at is null and matures_at <= coalesce($1::timestamptz, (select clock_timestamp()))
    and ($2::int is null or get_byte(uuid_send(user_id), 15) % ${settlementParts} = $2)
  order by matures_at limit $3 for update skip locked`,
);

/** Takes what is due, of all investors or of one part, and not being settled by another machine at this moment. */
export async function takeDue(
  tx: Tx,
  { givenTime, part, limit }: { givenTime: Date | null; part: number | null; limit: number },
): Promise<DueInvestment[]> {
  return dueRows(tx, [givenTime, part, limit]);
}

const settledRows = {
  name: 'settle investments',
  text: `update investments i set settled_at = $3, settled_transactionid = s.transactionid
  from unnest($1::uuid[], $2::text[]) as s (id, transactionid) where i.id = s.id`,
};

export function markSettled(settled: { id: string; transactionid: string }[], now: Date): Statement {
  const values = [columnOf(uuid, settled, (s) => s.id), columnOf(text, settled, (s) => s.transactionid), now];
  return { ...settledRows, values };
}
