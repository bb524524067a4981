import pg from 'pg';

/**
 * A long life in one statement per table, past the triggers and past the ledger: only its size matters. Its deposits are
 * known by `TS-LONG`.
 */
export async function writeEntries(adminUrl: string, userId: string, count: number): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const id = 'md5($1 || n)::uuid';
  try {
    await admin.query('set session_replication_role = replica');
    await admin.query(
      `insert into ledger_accounts (kind, owner_id, balance_cents, entry_count, last_entry_at)
       values ('wallet', $1, $2::bigint * 100, $2, '2026-01-01')`,
      [userId, count],
    );
    await admin.query(
      `insert into ledger_movements (id, transactionid, kind, at)
       select ${id}, 'TS-LONG-' || n || '-' || $1, 'deposit', '2026-01-01' from generate_series(1, $2::int) n`,
      [userId, count],
    );
    await admin.query(
      `insert into ledger_entries (account_id, seq, movement_id, at, label, amount_cents,
         balance_before_cents, balance_after_cents, hash)
       select a.id, n, ${id}, '2026-01-01',
         (array['Bitcoin', 'Ethereum', 'Investment', 'Investment Return', 'Profit', 'Withdrawal'])[1 + n % 6],
         100, (n - 1) * 100, n * 100, sha256(int4send(n))
       from ledger_accounts a, generate_series(1, $2::int) n where a.owner_id = $1::uuid`,
      [userId, count],
    );
    await admin.query('vacuum analyze ledger_accounts, ledger_movements, ledger_entries');
  } finally {
    await admin.end();
  }
}
