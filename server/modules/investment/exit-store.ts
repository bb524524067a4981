import type { ReadDb, Statement, Tx } from '../../platform/postgres/db.ts';
import { bigint, columnOf, int, uuid } from '../../platform/postgres/wire/binary.ts';
import type { LeavingTerms, Left } from './rules.ts';
import { type InvestmentRow, investmentsOf, withLeft } from './store.ts';

/** With the terms of its plan, which never change. */
export type LeavingInvestment = InvestmentRow & LeavingTerms;

const leaving = (db: ReadDb, ids: string[]) =>
  investmentsOf(db)
    .select(['p.exit_keeps_points as exitKeepsPoints', 'p.exit_fee_points as exitFeePoints'])
    .where('i.id', 'in', ids)
    .orderBy('i.id');

/** The settlement passes by what is held here, and is waited for where it was first. */
export async function lockToLeave(tx: Tx, ids: string[]): Promise<LeavingInvestment[]> {
  if (ids.length === 0) return [];
  return (await leaving(tx, ids).forUpdate('i').execute()).map(withLeft);
}

export async function findToLeave(db: ReadDb, id: string): Promise<LeavingInvestment | null> {
  const row = await leaving(db, [id]).executeTakeFirst();
  return row ? withLeft(row) : null;
}

const insertRows = {
  name: 'leave investments',
  text: `insert into investment_exits (investment_id, user_id, days, profit_cents, fee_cents, paid_cents, exited_at)
  select id, user_id, days, profit_cents, fee_cents, paid_cents, $7::timestamptz
  from unnest($1::uuid[], $2::uuid[], $3::int[], $4::bigint[], $5::bigint[], $6::bigint[])
    as l (id, user_id, days, profit_cents, fee_cents, paid_cents)`,
};

export function insertExits(rows: (Left & { id: string; userId: string })[], now: Date): Statement {
  const values = [
    columnOf(uuid, rows, ({ id }) => id),
    columnOf(uuid, rows, ({ userId }) => userId),
    columnOf(int, rows, ({ days }) => days),
    columnOf(bigint, rows, ({ profitCents }) => profitCents),
    columnOf(bigint, rows, ({ feeCents }) => feeCents),
    columnOf(bigint, rows, ({ paidCents }) => paidCents),
    now,
  ];
  return { ...insertRows, values };
}
