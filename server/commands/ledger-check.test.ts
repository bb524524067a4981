import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbeddedDatabase } from '../platform/embedded-postgres/embedded-database.ts';
import { findRunningPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { openOwner } from '../platform/postgres/db.ts';
import { migrate } from '../platform/postgres/migrate.ts';
import { fundedInvestor } from '../testing/ledger/investors.ts';
import { tamperingWith } from '../testing/ledger/tampering.ts';
import { deposit, withOffers } from '../testing/money.ts';
import { startTestApp, type TestApp } from '../testing/start-app.ts';

const command = join(import.meta.dirname, 'ledger-check.ts');
const dir = mkdtempSync(join(tmpdir(), 'ledger-check-'));
// As root the database runs as another user, who has to pass.
chmodSync(dir, 0o755);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Ended {
  code: number;
  said: string;
}

/** As `npm run ledger:check` would, in a folder without a configuration file. */
function runCheck(env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const ownEnv = { PATH, NODE_COMPILE_CACHE, ...env };
    execFile(process.execPath, [command], { cwd: dir, env: ownEnv }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr });
    });
  });
}

describe('with DATABASE_URL', () => {
  let test: TestApp;
  let userId: string;
  beforeAll(async () => {
    test = await startTestApp();
    await withOffers(test);
    userId = await fundedInvestor(test);
    await deposit(test, userId, 50);
  });
  afterAll(() => test.close());

  it('good books are said to agree, with exit code 0', async () => {
    const { code, said } = await runCheck({ DATABASE_URL: test.database.url });
    expect([code, said]).toEqual([0, '2 accounts, 4 entries, 0 findings.\nThe books agree.\n']);
    expect(await test.context.ledger.lastCheck()).toMatchObject({ accounts: 2n, entries: 4n, findings: [] });
    expect(await test.context.ledger.frozenBecause()).toBe(null);
  });

  it('tampered books are named entry by entry, with exit code 1, and withdrawals are frozen', async () => {
    const tampering = await tamperingWith(test.database.adminUrl);
    await tampering.sql(`update ledger_entries set label = 'Gift' where seq = 2 and account_id =
      (select id from ledger_accounts where kind = 'wallet')`);
    const { code, said } = await runCheck({ DATABASE_URL: test.database.url });
    await tampering.undo();
    await tampering.end();
    const finding = `wallet of ${userId}: entry 2 is not as it was written`;
    expect([code, said.split('\n').slice(0, 2)]).toEqual([
      1,
      ['2 accounts, 3 entries, 1 findings.', `  ${finding}`],
    ]);
  });
});

describe('with the embedded database', () => {
  const dataDir = join(dir, 'data');
  const logger = pino({ level: 'silent' });

  it('it works beside a running server, and by itself when none runs, and then leaves nothing running', async () => {
    const database = await openEmbeddedDatabase({ dataDir, logger });
    const owner = openOwner(database.url, logger);
    await migrate(owner);
    const beside = await runCheck({ DATA_DIR: dataDir });
    expect((await owner.query('select count(*)::int from ledger_checks')).rows).toEqual([{ count: 1 }]);
    await owner.end();
    await database.stop();
    const alone = await runCheck({ DATA_DIR: dataDir });
    const agreed = { code: 0, said: '0 accounts, 0 entries, 0 findings.\nThe books agree.\n' };
    expect([beside, alone]).toEqual([agreed, agreed]);
    expect(await findRunningPostgres({ dataDir })).toBe(null);
  });
});

describe('what cannot be checked ends with exit code 2 and says why:', () => {
  it.each([
    ['a database that does not answer', { DATABASE_URL: 'postgres://127.0.0.1:9/none' }, 'ECONNREFUSED'],
    ['a folder without a database', { DATA_DIR: join(dir, 'empty') }, 'no database'],
    ['a wrong configuration', { DATABASE_URL: 'mysql://db' }, 'DATABASE_URL'],
    ['production without its database', { MODE: 'production' }, 'DATABASE_URL'],
  ])('%s', async (_case, env, why) => {
    const { code, said } = await runCheck(env as Record<string, string>);
    expect([code, said]).toEqual([2, expect.stringContaining(why)]);
    expect(said).toMatch(/^The books could not be checked\. /);
  });
});
