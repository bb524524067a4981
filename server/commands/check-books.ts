import { createLedger } from '../modules/ledger/service.ts';
import { systemClock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { openApp } from '../platform/postgres/db.ts';
import { say } from './told.ts';

/** Reads the whole journal, says what it comes to, and answers whether the books agree with it. */
export async function checkBooks(url: string, logger: Logger): Promise<boolean> {
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
  }
}
