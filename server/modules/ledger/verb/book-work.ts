import { readThenWrite, type Statement, send, type Tx } from '../../../platform/postgres/db.ts';
import { onceEach } from '../account-rules.ts';
import { openBook } from '../commands.ts';
import { type AccountRef, Book } from '../rules.ts';
import { bookRows, isWrongGuess, lockAccounts, timeOfMoney } from '../store.ts';
import type { Opening, VerbNeeds } from './money-work.ts';

/** Work that is not a command, such as settling what is due. */
interface BookWork<Facts, Done> {
  read(tx: Tx, opening: Opening): Promise<{ facts: Facts; book: Book }>;
  /** Whether it looks at the investors' accounts only to post to them: where they are known here, they need not be locked before. */
  onlyPosts?: boolean;
  /** The house's accounts that may be posted to, at which all such work meets. */
  house?(facts: Facts): AccountRef[];
  post(facts: Facts, book: Book): Done;
  write?(tx: Tx, done: Done): Promise<void>;
  /** What can travel with the ledger's own rows. */
  written?(done: Done): Statement[];
}

/** What is taken from memory, for the database to compare. */
type Guess = 'all' | 'house' | 'nothing';

/** One at a time, in the order of asking. Who does not need a turn any more ends it, be it before it has come. */
function createTurns() {
  let last: Promise<void> = Promise.resolve();
  return () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const come = last;
    last = come.then(() => ended);
    return { come, end };
  };
}

/** One try at a transaction: what it has begun may still be under way when the next has. */
interface Try {
  /** Those that it goes by without having locked them. */
  unlocked: AccountRef[];
  hasAccounts: boolean;
  endTurn(): void;
}

/**
 * Reads, lets the caller post, writes. The house's accounts come last and are not locked when this server knows how the
 * transactions before this one leave them: then these are written side by side, and end one after the other. Nor are the
 * investors' where the work only posts to them and nobody here is writing one.
 *
 * Who waits in this server for the one before has investors' accounts, for which others may be waiting in the database. The
 * one before must not be among these: so they get their accounts in turns, each when the one before has all of its own.
 */
export function createBookWork({ db, givenTime, remembered }: VerbNeeds) {
  const takeTurn = createTurns();

  async function doOnce<Facts, Done>(work: BookWork<Facts, Done>, guess: Guess): Promise<Done> {
    const begin = (): Try => ({ unlocked: [], hasAccounts: false, endTurn() {} });
    let current = begin();
    const gotAccounts = (mine: Try) => {
      mine.hasAccounts = true;
      mine.endTurn();
    };
    const lock = async (tx: Tx, accounts: AccountRef[], mine: Try) => {
      const book = await openBook(tx, accounts, remembered);
      gotAccounts(mine);
      return book;
    };
    try {
      return await remembered.writing((leave, anew) =>
        readThenWrite(db, {
          read(tx) {
            anew();
            current.endTurn();
            const mine = begin();
            current = mine;
            const given = givenTime();
            return work.read(tx, {
              now: () => timeOfMoney(tx, given),
              givenTime: given,
              async openBook(accounts) {
                if (work.onlyPosts) {
                  const turn = takeTurn();
                  mine.endTurn = turn.end;
                  await turn.come;
                }
                if (guess !== 'all' || !recallAtRest(accounts)) return lock(tx, accounts, mine);
                mine.unlocked = onceEach(accounts);
                return new Book([]);
              },
            });
          },
          async write(tx, { facts, book: opened }) {
            const mine = current;
            const { unlocked } = mine;
            const house = work.house?.(facts) ?? [];
            // All of them in one moment, and posted to in the same: others may leave them another way in the next.
            const guessed = unlocked.length > 0 ? recallBoth(unlocked, house) : null;
            const book = guessed || unlocked.length === 0 ? opened : await lock(tx, unlocked, mine);
            if (guessed) book.load(guessed.owned.accounts);
            const recalled = guessed?.house ?? recallHouse(work, guess, house);
            book.load(recalled?.accounts ?? (await lockHouse(tx, work, house)));
            const result = work.post(facts, book);
            const posted = book.take();
            leave(posted.accounts);
            const rows = bookRows(posted);
            const others = [...rows.journal, ...(work.written?.(result) ?? [])];
            const sent = Promise.all([send(tx, rows.owned).then(() => gotAccounts(mine)), send(tx, others)]);
            // Where these fail, so does the transaction at its end, and says why. Who waits for another hears of it before,
            // and does not hold meanwhile what it cannot use any more.
            sent.catch(() => {});
            const before = recalled?.over();
            await Promise.all([work.write?.(tx, result), before, before && sent]);
            return { result, last: rows.house };
          },
        }),
      );
    } catch (error) {
      if (isWrongGuess(error as Error))
        remembered.doubt(current.hasAccounts || guess !== 'all' ? 'house' : 'unlocked');
      throw error;
    } finally {
      // Behind what was left and is forgotten again when it failed.
      current.endTurn();
    }
  }

  /** Null when one is not known, or is being written: how that ends is heard of behind its lock. */
  function recallAtRest(owned: AccountRef[]) {
    const recalled = remembered.recall(owned);
    return recalled?.over() === null ? recalled : null;
  }

  function recallBoth(unlocked: AccountRef[], house: AccountRef[]) {
    const recalled = { owned: recallAtRest(unlocked), house: remembered.recall(house) };
    return recalled.owned && recalled.house ? { owned: recalled.owned, house: recalled.house } : null;
  }

  /** For who has the investors' accounts. */
  function recallHouse<Facts, Done>(work: BookWork<Facts, Done>, guess: Guess, house: AccountRef[]) {
    // Who writes more than postings does not go on from another, which may need what was locked for that.
    const mayRecall = house.length === 0 || (guess !== 'nothing' && !work.write);
    return mayRecall ? remembered.recall(house) : null;
  }

  /**
   * Behind those here who write them: their entries are written before the account is, and who had locked it would wait for
   * these. But who writes more than postings waits in the database alone, which sees a circle.
   */
  async function lockHouse<Facts, Done>(tx: Tx, { write }: BookWork<Facts, Done>, house: AccountRef[]) {
    if (!write) await remembered.recall(house)?.over();
    return lockAccounts(tx, house);
  }

  function guessFor<Facts, Done>(work: BookWork<Facts, Done>): Guess {
    if (remembered.isInDoubt('house')) return 'nothing';
    return work.onlyPosts && !remembered.isInDoubt('unlocked') ? 'all' : 'house';
  }

  return async <Facts, Done>(work: BookWork<Facts, Done>): Promise<Done> => {
    for (;;) {
      // Who was wrong doubts what it went by, and so guesses less the next time, and nothing after that.
      const guess = guessFor(work);
      try {
        return await doOnce(work, guess);
      } catch (error) {
        if (guess === 'nothing' || !isWrongGuess(error as Error)) throw error;
      }
    }
  };
}
