import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { amountCents, type Bank } from './bank.ts';
import { perSecond } from './loop.ts';

const connections = 16;

export async function preparePlainSql({ context }: Bank): Promise<void> {
  await context.owner.query(await readFile(new URL('plain.sql', import.meta.url), 'utf8'));
}

/** One transaction for each command, over several connections at once. */
export async function plainSqlPerSecond({ databaseUrl, planId, investors }: Bank, seconds: number) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
  try {
    return await perSecond(connections, seconds, async (who) => {
      const mine = Math.ceil(investors.length / connections);
      const investor = investors[(who * mine + Math.floor(Math.random() * mine)) % investors.length];
      const values = [investor?.userId, planId, amountCents, randomUUID()];
      const text = 'select bench.invest($1, $2, $3, $4) as name';
      const { rows } = await pool.query<{ name: string }>({ name: 'invest', text, values });
      if (!rows[0]?.name.startsWith('TS-')) throw new Error(`plain SQL refused: ${rows[0]?.name}`);
    });
  } finally {
    await pool.end();
  }
}
