/**
 * Seals everything in the database with another secret: `npm run secret:rotate -- <file of the new secret>`, with the
 * server stopped and SECRET_FILE still naming the old one. Then SECRET_FILE names the new one and the server is started.
 * Exit codes: docs/operations.md.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { readOwnEnv } from '../config/env.ts';
import { deriveSecrets, readMaster, readSecretFile } from '../config/secrets.ts';
import { exitCodes, Refusal } from '../platform/backup/refusal.ts';
import { createLogger } from '../platform/logger.ts';
import { rekeyAppLogin } from '../platform/postgres/app-login.ts';
import { reseal, type Sealers, serversAtWork } from '../platform/postgres/reseal.ts';
import { createSealer } from '../platform/sealing.ts';
import { openDatabase } from './open-database.ts';
import { folderAsked, runTold, say } from './told.ts';

const usage = 'npm run secret:rotate -- <file of the new secret>, with SECRET_FILE naming the old one';

function sealersOf(master: Buffer): Sealers {
  const { totp, proof, mail } = deriveSecrets(master);
  return {
    authenticators: createSealer(totp),
    investorsAuthenticators: createSealer(totp),
    statements: createSealer(proof),
    closedAccounts: createSealer(proof),
    letters: createSealer(mail),
  };
}

await runTold('The secret was not changed.', async () => {
  const path = folderAsked(usage, parseArgs({ allowPositionals: true }));
  const fresh = readSecretFile(path, 'The new secret');
  const env = readOwnEnv();
  const old = readMaster(env);
  if (fresh.equals(old)) throw new Refusal('failed', `${path} holds the secret that is in use.`);
  const { url, stop } = await openDatabase(createLogger('silent'));
  const owner = new pg.Client({ connectionString: url });
  owner.on('error', () => {});
  try {
    await owner.connect();
    if ((await serversAtWork(owner)) > 0) {
      throw new Refusal('serverRuns', 'A server is at work on this database: stop it first.');
    }
    // A login that was made by hand has a password that follows from nothing.
    const rekey = async () => {
      if (!env.DATABASE_APP_URL) await rekeyAppLogin(owner, deriveSecrets(fresh).database);
    };
    const sealed = await reseal(owner, sealersOf(old), sealersOf(fresh), rekey);
    for (const [what, { sealed: anew, left }] of Object.entries(sealed)) {
      say(
        `${what}: ${anew} sealed anew${left > 0 ? `, ${left} left as they were: the old secret does not open them` : ''}.`,
      );
    }
    say(
      `Name ${path} in SECRET_FILE and start the server. Keep the old one as long as you keep backups of before.`,
    );
    return exitCodes.done;
  } finally {
    await owner.end().catch(() => {});
    await stop();
  }
});
