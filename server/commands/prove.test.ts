import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { deriveSecrets, type Secrets } from '../config/secrets.ts';
import { rekeyAppLogin, whyNotOurLogin } from '../platform/postgres/app-login.ts';
import { reseal, type Sealers } from '../platform/postgres/reseal.ts';
import { createSealer } from '../platform/sealing.ts';
import { newInvestor } from '../testing/ledger/investors.ts';
import { enrolled } from '../testing/operators.ts';
import { startTestApp, type TestApp } from '../testing/start-app.ts';

const dir = mkdtempSync(join(tmpdir(), 'prove-'));
let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
  await newInvestor(test);
});
afterAll(async () => {
  await test.close();
  rmSync(dir, { recursive: true, force: true });
});

/** As `npm run` would, in a folder without a configuration file. */
const run = (command: string, env: Record<string, string>, args: string[] = []) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const ownEnv = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dir, ...env };
    execFile(
      process.execPath,
      [join(import.meta.dirname, command), ...args],
      { cwd: dir, env: ownEnv },
      (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), said: stdout + stderr });
      },
    );
  });

const prove = (env: Record<string, string>) => run('prove.ts', env);

it('npm run prove makes a statement beside a running server, and says why when it does not', async () => {
  const DATABASE_URL = test.database.url;
  const first = await prove({ DATABASE_URL });
  expect(first).toEqual({
    code: 0,
    // At five past midnight the server makes one of its own, which then is the first.
    said: expect.stringMatching(/^Statement [12] of \S+Z: 0 investors are owed 0 cents together\.\n$/),
  });
  const again = await prove({ DATABASE_URL });
  expect(again).toEqual({ code: 2, said: expect.stringContaining('younger than a minute') });
  const nowhere = await prove({ DATABASE_URL: 'postgres://127.0.0.1:9/none' });
  expect(nowhere).toEqual({ code: 2, said: expect.stringMatching(/^No statement was made\. /) });
});

describe('npm run secret:rotate', () => {
  const fresh = join(dir, 'fresh');
  const rotate = (file: string) => run('rotate-secret.ts', { DATABASE_URL: test.database.url }, [file]);

  it.each([
    ['a file that is not there', join(dir, 'missing'), 2, 'The new secret'],
    ['the secret that is in use', join(dir, 'secret'), 2, 'in use'],
    ['beside a running server', fresh, 6, 'stop it first'],
  ])('refuses %s', async (_case, file, code, words) => {
    await writeFile(fresh, 'y'.repeat(48), { mode: 0o600 });
    expect(await rotate(file)).toEqual({
      code,
      said: expect.stringMatching(new RegExp(`^The secret was not changed\\. .*${words}`)),
    });
  });

  it('seals everything anew, leaves what it cannot open, and the guards as they were', async () => {
    const { config, owner } = test.context;
    const sealersOf = ({ totp, proof, mail }: Secrets): Sealers => ({
      authenticators: createSealer(totp),
      investorsAuthenticators: createSealer(totp),
      statements: createSealer(proof),
      closedAccounts: createSealer(proof),
      letters: createSealer(mail),
    });
    const [old, next] = [sealersOf(config.secrets), sealersOf(deriveSecrets(await readFile(fresh)))];
    await enrolled(test);
    const userId = await newInvestor(test);
    const sealed = old.investorsAuthenticators.seal('a secret');
    await owner.query('insert into authenticators (user_id, sealed, created_at) values ($1, $2, now())', [
      userId,
      sealed,
    ]);
    const left = `update users set closed_at = now(), email_sealed = $2, email = '' where id = $1`;
    await owner.query(left, [await newInvestor(test), old.closedAccounts.seal('ben@example.com')]);
    await test.jobs.stop();
    const message = { name: 'Ada', email: 'ada@example.com', message: 'Hello', clientAddress: '192.0.2.1' };
    await test.context.contact.sendContactMessage(message);
    const client = await owner.connect();
    onTestFinished(() => client.release());
    // The statement above was sealed by another secret, that of the command's own folder; the server's, if it has made one, by this.
    const { rows } = await owner.query('select count(*)::int - 1 as own from proof_statements');
    const { database: secret } = deriveSecrets(await readFile(fresh));
    const rekey = () => rekeyAppLogin(client, secret);
    expect(await reseal(client, old, next, rekey)).toEqual({
      authenticators: { sealed: 1, left: 0 },
      investorsAuthenticators: { sealed: 1, left: 0 },
      statements: { sealed: rows[0].own, left: 1 },
      closedAccounts: { sealed: 1, left: 0 },
      letters: { sealed: 1, left: 0 },
    });
    const [totp, letter] = await Promise.all(
      [
        'select totp_sealed as sealed from operators',
        "select payload ->> 'sealed' as sealed from graphile_worker._private_jobs",
      ].map(async (text) => (await owner.query(text)).rows[0].sealed),
    );
    expect(() => old.authenticators.open(totp)).toThrow('another key');
    expect([next.authenticators.open(totp), JSON.parse(next.letters.open(letter)).letter.email]).toEqual([
      expect.any(String),
      'ada@example.com',
    ]);
    const databaseUrl = test.database.url;
    expect(await whyNotOurLogin(owner, { databaseUrl, secret })).toBe(null);
    const before = { databaseUrl, secret: config.secrets.database };
    expect(await whyNotOurLogin(owner, before)).toMatchObject({
      message: expect.stringMatching(/^SECRET_FILE/),
    });
    // A second time, or with a file that is not this database's, it would name a secret that opens nothing.
    await expect(reseal(client, old, next)).rejects.toThrow('opens nothing');
    await expect(client.query('update proof_statements set sealed_key = sealed_key')).rejects.toThrow(
      'append-only',
    );
  });
});
