import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { forget, giveBack, throttledAddress, waitBeforeTry } from '../../platform/throttle.ts';
import { signInRules } from './rules.ts';

interface TriesNeeds {
  db: Db;
  clock: Clock;
  /** Whose sign-in is counted; operators and investors do not share counters. */
  scope: 'sign-in' | 'operator';
}

/** Slows down the guessing of passwords: per account and per address, growing, and never for good. */
export function createTries({ db, clock, scope }: TriesNeeds) {
  /** Counts the try on the account and on the address beforehand; refuses when either has to wait. */
  return async function countTry(accountKey: string, clientAddress: string) {
    const now = clock.now();
    const account = { scope: `${scope}-account`, subject: accountKey };
    const address = { scope: `${scope}-address`, subject: throttledAddress(clientAddress) };
    const addressWaitMs = await waitBeforeTry(db, address, signInRules.perAddress, now);
    const accountWaitMs =
      addressWaitMs > 0 ? 0 : await waitBeforeTry(db, account, signInRules.perAccount, now);
    if (accountWaitMs > 0) await giveBack(db, address);
    const waitMs = Math.max(addressWaitMs, accountWaitMs);
    if (waitMs > 0) {
      const retryAfterSeconds = Math.ceil(waitMs / 1000);
      throw new AppError('too_many_requests', `Too many failed tries. Try again in ${retryAfterSeconds} s.`, {
        retryAfterSeconds,
      });
    }
    return {
      /** The try was a right one: the account starts afresh, the address gets its try back. */
      async wasRight() {
        await forget(db, account);
        await giveBack(db, address);
      },
      /** The try was never looked at. */
      async didNotHappen() {
        await giveBack(db, account);
        await giveBack(db, address);
      },
    };
  };
}
