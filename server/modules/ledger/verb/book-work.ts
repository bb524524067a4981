import { readThenWrite, type Statement, send, type Tx } from '../../../platform/postgres/db.ts';
import { openBook } from '../commands.ts';
import type { AccountRef, Book } from '../rules.ts';
import { bookRows, isWrongGuess, lockAccounts, timeOfMoney } from '../store.ts';
import type { Opening, VerbNeeds } from './money-work.ts';

/** Work that is not a command, such as settling what is due. */
interface BookWork<Facts, Done> {
  read(tx: Tx, opening: Opening): Promise<{ facts: Facts; book: Book }>;
  /** The house's accounts that may be posted to, at which all such work meets. */
  house?(facts: Facts): AccountRef[];
  post(facts: Facts, book: Book): Done;
  write?(tx: Tx, done: Done): Promise<void>;
  /** What can travel with the ledger's own rows. */
  written?(done: Done): Statement[];
}

/**
 * Reads, lets the caller post, writes. The house's accounts come last and are not locked when this server knows how the
 * transactions before this one leave them: then these are written side by side, and end one after the other.
 */
export function createBookWork({ db, givenTime, remembered }: VerbNeeds) {
  return async <Facts, Done>(work: BookWork<Facts, Done>): Promise<Done> => {
    const doOnce = (byHeart: boolean) =>
      remembered.writing((leave, anew) =>
        readThenWrite(db, {
          read(tx) {
            anew();
            const given = givenTime();
            return work.read(tx, {
              now: () => timeOfMoney(tx, given),
              givenTime: given,
              openBook: (accounts) => openBook(tx, accounts, remembered),
            });
          },
          async write(tx, { facts, book }) {
            const house = work.house?.(facts) ?? [];
            // Who writes more than postings does not go on from another, which may need what was locked for that.
            const mayRecall =
              house.length === 0 || (byHeart && !work.write && !remembered.isInDoubt('house'));
            const recalled = mayRecall ? remembered.recall(house) : null;
            book.load(recalled?.accounts ?? (await lockAccounts(tx, house)));
            const done = work.post(facts, book);
            const posted = book.take();
            leave(posted.accounts);
            const { first, last } = bookRows(posted);
            const sent = send(tx, [...first, ...(work.written?.(done) ?? [])]);
            // Where these fail, so does the transaction at its end, and says why. Who waits for another hears of it before,
            // and does not hold meanwhile what it cannot use any more.
            sent.catch(() => {});
            const before = recalled?.over();
            await Promise.all([work.write?.(tx, done), before, before && sent]);
            return { result: done, last };
          },
        }),
      );
    return doOnce(true).catch((error) => {
      if (!isWrongGuess(error)) throw error;
      remembered.doubt('house');
      return doOnce(false);
    });
  };
}
