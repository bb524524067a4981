import { send, type Tx } from '../../../platform/postgres/db.ts';
import { readThenWrite } from '../../../platform/postgres/transactions/read-then-write.ts';
import { openBook } from '../commands.ts';
import type { AccountRef, Book } from '../rules.ts';
import { bookRows, lockAccounts, timeOfMoney } from '../store.ts';
import type { Opening, VerbNeeds } from './money-work.ts';

/** Work that is not a command, and needs the locks of the accounts for more than what it posts. */
interface BookWork<Facts, Done> {
  read(tx: Tx, opening: Opening): Promise<{ facts: Facts; book: Book }>;
  /** The house's accounts that may be posted to, locked behind all others. */
  house?(facts: Facts): AccountRef[];
  post(facts: Facts, book: Book): Done;
  write?(tx: Tx, done: Done): Promise<void>;
}

/** Reads, lets the caller post, writes: behind the locks of all accounts. */
export function createBookWork({ db, givenTime, remembered }: VerbNeeds) {
  return <Facts, Done>(work: BookWork<Facts, Done>): Promise<Done> =>
    readThenWrite(db, {
      read(tx) {
        const given = givenTime();
        return work.read(tx, {
          now: () => timeOfMoney(tx, given),
          givenTime: given,
          openBook: (accounts) => openBook(tx, accounts, remembered),
        });
      },
      async write(tx, { facts, book }) {
        const house = work.house?.(facts) ?? [];
        if (house.length > 0) book.load(await lockAccounts(tx, house));
        const result = work.post(facts, book);
        const posted = book.take();
        // Nobody goes on from how it leaves them: it may have much to write before it is over.
        remembered.forget(posted.accounts);
        const { owned, journal, house: last } = bookRows(posted);
        const sent = send(tx, [...owned, ...journal]);
        // Where it fails, so does the transaction at its end, and says why.
        sent.catch(() => {});
        await work.write?.(tx, result);
        return { result, last };
      },
    });
}
