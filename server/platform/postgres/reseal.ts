import type pg from 'pg';
import { Refusal } from '../backup/refusal.ts';
import type { Sealer } from '../sealing.ts';

/** With which keys of one secret what is sealed. */
export type Sealers = Record<
  'authenticators' | 'investorsAuthenticators' | 'statements' | 'closedAccounts' | 'letters',
  Sealer
>;
type Resealed = Record<keyof Sealers, { sealed: number; left: number }>;

/** Where everything stands that was sealed with the secret: letters on their way among the jobs. */
const places: Record<keyof Sealers, { table: string; key: string; sealed: string; set: string }> = {
  authenticators: { table: 'operators', key: 'id', sealed: 'totp_sealed', set: 'totp_sealed = $2' },
  investorsAuthenticators: { table: 'authenticators', key: 'id', sealed: 'sealed', set: 'sealed = $2' },
  statements: { table: 'proof_statements', key: 'number', sealed: 'sealed_key', set: 'sealed_key = $2' },
  closedAccounts: { table: 'users', key: 'id', sealed: 'email_sealed', set: 'email_sealed = $2' },
  letters: {
    table: 'graphile_worker._private_jobs',
    key: 'id',
    sealed: "payload ->> 'sealed'",
    set: "payload = json_build_object('sealed', $2::text)",
  },
};

const opened = (sealer: Sealer, sealed: string): string | null => {
  try {
    return sealer.open(sealed);
  } catch {
    return null;
  }
};

/**
 * Seals everything anew, in one transaction, as the owner: a statement is never changed otherwise, so its guard is off
 * within the transaction, which nobody sees. What the old secret does not open stays as it is and is counted; where it opens
 * nothing of all there is, it is not the old one. What is handed along is done in the same transaction.
 */
export async function reseal(
  owner: pg.ClientBase,
  from: Sealers,
  to: Sealers,
  alongside: () => Promise<void> = async () => {},
): Promise<Resealed> {
  const result = {} as Resealed;
  await owner.query('begin');
  try {
    await owner.query('alter table proof_statements disable trigger proof_statements_append_only');
    for (const [what, { table, key, sealed, set }] of Object.entries(places)) {
      const kind = what as keyof Sealers;
      const { rows } = await owner.query<{ key: string; sealed: string }>(
        `select ${key} as key, ${sealed} as sealed from ${table} where ${sealed} is not null for update`,
      );
      let left = 0;
      for (const row of rows) {
        const text = opened(from[kind], row.sealed);
        if (text === null) left += 1;
        else
          await owner.query(`update ${table} set ${set} where ${key} = $1`, [row.key, to[kind].seal(text)]);
      }
      result[kind] = { sealed: rows.length - left, left };
    }
    const counts = Object.values(result);
    if (counts.some(({ left }) => left > 0) && counts.every(({ sealed }) => sealed === 0)) {
      throw new Refusal(
        'failed',
        'SECRET_FILE, or DATA_DIR/secret where none is named, opens nothing that is sealed in this database: name the file that its server has had.',
      );
    }
    await owner.query('alter table proof_statements enable trigger proof_statements_append_only');
    await alongside();
    await owner.query('commit');
    return result;
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
}

/** Servers that are at work on this database: all but ourselves who have the rights of one. */
export async function serversAtWork(owner: pg.ClientBase): Promise<number> {
  const { rows } = await owner.query<{ servers: number }>(
    `select count(distinct (client_addr, usename))::int as servers
     from pg_stat_activity join pg_roles on rolname = usename
     where datname = current_database() and usename <> current_user and not rolsuper
       and pg_has_role(usename, 'tallystick_app', 'member')`,
  );
  return rows[0]?.servers ?? 0;
}
