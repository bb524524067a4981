import pg from 'pg';
import { expect, it } from 'vitest';
import { checkPaper } from '../../../../verify/paper.ts';
import { testKey } from '../../../../verify/testing/signing.ts';
import { signedIn } from '../../../testing/people.ts';
import { startTestApp } from '../../../testing/start-app.ts';
import { createPapers, pdfLinesMax } from './service.ts';

const log = testKey('books.example/log');
const days = { from: '2026-01-01', to: '2026-01-31' };

it('of a long account there is no PDF, but the files for programs have every entry', async () => {
  const test = await startTestApp();
  try {
    const { userid: userId } = await signedIn(test);
    await writeEntries(test.database.adminUrl, userId, pdfLinesMax + 1);
    const { db } = test.context;
    const sign = (text: string) => `${text}\n${log.signature(text)}`;
    const house = { sign, origin: log.name, brand: 'Tallystick', sample: false };
    const papers = createPapers({ db, clock: test.clock, ...house });
    await expect(papers.paper({ userId, kind: 'pdf', ...days })).rejects.toMatchObject({
      code: 'outside_range',
      message: expect.stringContaining('Choose fewer days'),
    });
    for (const kind of ['csv', 'json'] as const) {
      const { body } = await papers.paper({ userId, kind, ...days });
      const pieces: Buffer[] = await body.toArray();
      const file = Buffer.concat(pieces);
      expect(pieces.length, 'it comes in pieces').toBeGreaterThan(5);
      expect(checkPaper(file, log.vkey)).toMatchObject({ kind, wallet: { seq: pdfLinesMax + 1 } });
      expect(file.toString().match(/TS-LONG-\d+/g)).toHaveLength(pdfLinesMax + 1);
    }
  } finally {
    await test.close();
  }
});

/** Past the triggers and past the ledger: only the size matters here. */
async function writeEntries(adminUrl: string, userId: string, count: number): Promise<void> {
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
       select ${id}, 'TS-LONG-' || n, 'deposit', '2026-01-01' from generate_series(1, $2::int) n where $1 <> ''`,
      [userId, count],
    );
    await admin.query(
      `insert into ledger_entries (account_id, seq, movement_id, at, label, amount_cents,
         balance_before_cents, balance_after_cents, hash)
       select a.id, n, ${id}, '2026-01-01', 'Bitcoin', 100, (n - 1) * 100, n * 100, sha256(int4send(n))
       from ledger_accounts a, generate_series(1, $2::int) n where a.owner_id = $1::uuid`,
      [userId, count],
    );
  } finally {
    await admin.end();
  }
}
