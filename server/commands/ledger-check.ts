/**
 * Reads the whole journal and compares what it comes to with what the accounts say: what the timer does every hour,
 * whenever someone wants to know. Like the timer it keeps its result and freezes withdrawals when the books do not
 * agree. Exit code 0: all agrees; 1: it does not; 2: it could not be checked.
 */
import { createLogger } from '../platform/logger.ts';
import { checkBooks } from './check-books.ts';
import { openDatabase } from './open-database.ts';
import { runTold } from './told.ts';

// What there is to say is said in plain words.
const logger = createLogger('silent');

await runTold('The books could not be checked.', async () => {
  const { url, stop } = await openDatabase(logger);
  try {
    return (await checkBooks(url, logger)) ? 0 : 1;
  } finally {
    await stop();
  }
});
