/**
 * Reads the whole journal and compares what it comes to with what the accounts say: what the timer does every hour,
 * whenever someone wants to know. Like the timer it keeps its result and freezes withdrawals when the books do not
 * agree. Exit code 0: all agrees; 1: it does not; 2: it could not be checked.
 */
import { createLedger } from '../modules/ledger/service.ts';
import { systemClock } from '../platform/clock.ts';
import { createLogger } from '../platform/logger.ts';
import { openApp } from '../platform/postgres/db.ts';
import { openDatabase } from './open-database.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
// What there is to say is said below, in plain words.
const logger = createLogger('silent');

async function check(): Promise<boolean> {
  const { url, stop } = await openDatabase(logger);
  const db = openApp(url, logger);
  try {
    const ledger = createLedger({ db, clock: systemClock, logger });
    const { accounts, entries, findings } = await ledger.checkBooks();
    say(`${accounts} accounts, ${entries} entries, ${findings.length} findings.`);
    for (const finding of findings) say(`  ${finding}`);
    say(
      findings.length === 0
        ? 'The books agree.'
        : 'The books do not agree. Withdrawals are frozen until an operator has looked into it.',
    );
    return findings.length === 0;
  } finally {
    await db.destroy();
    await stop();
  }
}

try {
  process.exitCode = (await check()) ? 0 : 1;
} catch (error) {
  const { message, errors } = error as Error & { errors?: Error[] };
  process.stderr.write(`The books could not be checked. ${message || (errors?.[0]?.message ?? error)}\n`);
  process.exitCode = 2;
}
