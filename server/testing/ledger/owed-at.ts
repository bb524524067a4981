import type { TestApp } from '../start-app.ts';

/** What the journal alone says was owed at a moment, added up in code that shares nothing with the statement's. */
export async function owedAt(
  test: TestApp,
  at: Date,
  userId: string | null = null,
): Promise<[bigint, bigint, bigint, bigint]> {
  const { rows } = await test.context.owner.query<{ kind: string; cents: string }>(
    `select a.kind, e.amount_cents as cents from ledger_entries e join ledger_accounts a on a.id = e.account_id
     where e.at <= $1 and a.owner_id is not null and ($2::uuid is null or a.owner_id = $2)`,
    [at, userId],
  );
  const of = (kind: string) =>
    rows.reduce((sum, row) => (row.kind === kind ? sum + BigInt(row.cents) : sum), 0n);
  const { rows: open } = await test.context.owner.query<{ profit: string; opened: Date; matures: Date }>(
    `select profit_cents as profit, opened_at as opened, matures_at as matures from investments
     where opened_at <= $1 and (settled_at is null or settled_at > $1) and ($2::uuid is null or user_id = $2)`,
    [at, userId],
  );
  const profit = open.reduce((sum, { profit: whole, opened, matures }) => {
    const passed = BigInt(Math.min(at.getTime(), matures.getTime()) - opened.getTime());
    return sum + (BigInt(whole) * passed) / BigInt(matures.getTime() - opened.getTime());
  }, 0n);
  return [of('wallet'), of('invested'), profit, of('withdrawing')];
}
