import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { canonicalText, chainHash, genesisHash } from '../../modules/ledger/rules.ts';

export interface Tampering {
  /** Anything at all, with the database's own guards switched off. */
  sql(text: string, values?: unknown[]): Promise<void>;
  /** A balanced movement that the accounts know nothing of. */
  append(accountId: string, amountCents: number): Promise<void>;
  /** Changes a label and every hash that follows from it, the account's head as well: a forger who forgets nothing. */
  relabel(accountId: string, seq: number, label: string): Promise<void>;
  /** Puts everything back as it was when this began. */
  undo(): Promise<void>;
  end(): Promise<void>;
}

const tables = ['ledger_accounts', 'ledger_movements', 'ledger_entries'];

/** Does as the database's superuser what no role of the server can do. */
export async function tamperingWith(adminUrl: string): Promise<Tampering> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query('set session_replication_role = replica');
  for (const table of tables) await client.query(`create temp table kept_${table} as table ${table}`);

  async function append(accountId: string, amountCents: number): Promise<void> {
    const { rows } = await client.query(
      `insert into ledger_movements (id, transactionid, kind, at)
       select gen_random_uuid(), 'TS-FFFF-' || substr(md5(random()::text), 1, 4), 'correction', max(at)
       from ledger_movements returning id`,
    );
    await client.query(
      `insert into ledger_entries (account_id, seq, movement_id, at, label,
         amount_cents, balance_before_cents, balance_after_cents, hash)
       select id, entry_count + 1, $1, last_entry_at, 'Correction', cents, balance_cents, balance_cents + cents, $4
       from ledger_accounts, (values ($2::uuid, $3::bigint), (null, -$3::bigint)) as posted (account, cents)
       where id = account or (account is null and kind = 'corrections')`,
      [rows[0].id, accountId, amountCents, randomBytes(32)],
    );
  }

  async function relabel(accountId: string, seq: number, label: string): Promise<void> {
    await client.query('update ledger_entries set label = $3 where account_id = $1 and seq = $2', [
      accountId,
      seq,
      label,
    ]);
    const { rows } = await client.query(
      `select e.*, m.transactionid from ledger_entries e join ledger_movements m on m.id = e.movement_id
       where account_id = $1 order by seq`,
      [accountId],
    );
    let head = genesisHash;
    for (const row of rows) {
      const { transactionid, at, label } = row;
      const amounts = { amountCents: row.amount_cents, balanceAfterCents: row.balance_after_cents };
      head = chainHash(
        head,
        canonicalText({ accountId, seq: row.seq, at, transactionid, label, ...amounts }),
      );
      await client.query(
        `update ledger_entries set hash = decode($3, 'hex') where account_id = $1 and seq = $2`,
        [accountId, row.seq, head],
      );
    }
    await client.query(`update ledger_accounts set head = decode($2, 'hex') where id = $1`, [
      accountId,
      head,
    ]);
  }

  return {
    sql: async (text, values) => void (await client.query(text, values)),
    append,
    relabel,
    async undo() {
      for (const table of tables) {
        await client.query(`delete from ${table}`);
        await client.query(`insert into ${table} overriding system value select * from kept_${table}`);
      }
      await client.query('update ledger_freeze set frozen_at = null, reason = null');
    },
    end: () => client.end(),
  };
}
