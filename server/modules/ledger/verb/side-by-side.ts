import { lockMsMax, type Statement, send, type Tx } from '../../../platform/postgres/db.ts';
import { readThenWrite } from '../../../platform/postgres/transactions/read-then-write.ts';
import { openBook } from '../commands.ts';
import { type Account, type AccountRef, Book } from '../rules.ts';
import { bookRows, isWrongGuess, lockAccounts, timeOfMoney } from '../store.ts';
import type { Opening, VerbNeeds } from './money-work.ts';
import { whereItCan } from './remembered.ts';
import { createTurns } from './turns.ts';

interface Found<Facts> {
  facts: Facts;
  /** The accounts that may be posted to: those that belong to someone, and the house's, at which all such work meets. */
  owned: AccountRef[];
  house: AccountRef[];
}

/** Many postings that nobody asks for one by one, as those of what is due. */
interface Postings<Facts, Done> {
  /** What is to be posted, held by this transaction from now on. */
  find(tx: Tx, opening: Pick<Opening, 'now' | 'givenTime'>): Promise<Found<Facts>>;
  /** Pure. What is short on accounts as they are remembered is posted once more, on accounts that are locked. */
  post(facts: Facts, book: Pick<Book, 'post'>): Done;
  /** What travels with the ledger's own rows, where anything was found. */
  written(done: Done): Statement[];
}

/** What is taken from memory, for the database to compare. */
type Guess = 'all' | 'house' | 'nothing';

/** What it went by and was wrong. */
type Wrong = 'unlocked' | 'house';
type Tried<Done> = { done: Done } | { wrong: Wrong };

/** One try at a transaction, which may be undone and tried again. */
interface Try {
  guess: Guess;
  /** The database has given it those that belong to someone. */
  hasOwned: boolean;
  wrong: Wrong | null;
  leave(accounts: Account[]): void;
  /** Nobody goes on from what it has left, nor waits for it. */
  fail(error: unknown): void;
  end(): void;
}

/**
 * Posts in several transactions side by side. Accounts that this server knows are not locked: the database compares them when
 * they are written. All meet at the house's account, where each goes on from how the one before leaves it, and ends behind it.
 *
 * Who waits here for the one before has investors' accounts, for which others may be waiting in the database. The one before
 * must not be among these: so they get theirs in turns. A turn is over when the database has given its transaction all that
 * belongs to someone, and the next can see how it leaves the house's.
 */
export function createSideBySide({ db, givenTime, remembered }: VerbNeeds) {
  // Longer than for a row that another holds: who gives up waiting for one ends its turn, and the next still has its own.
  const takeTurn = createTurns({ msMax: 2 * lockMsMax });
  /** Those that have left the house's account changed and are not over. */
  const underWay = new Set<Promise<void>>();

  function begin(leave: Try['leave'] = () => {}, undo: () => void = () => {}): Try {
    const { promise, resolve } = Promise.withResolvers<void>();
    const mine: Try = {
      guess: 'nothing',
      hasOwned: false,
      wrong: null,
      leave(accounts) {
        leave(accounts);
        underWay.add(promise);
      },
      fail(error) {
        if (mine.guess !== 'nothing' && isWrongGuess(error as Error)) {
          mine.wrong ??= mine.guess === 'all' && !mine.hasOwned ? 'unlocked' : 'house';
          remembered.doubt(mine.wrong);
        }
        undo();
        mine.end();
      },
      end() {
        underWay.delete(promise);
        resolve();
      },
    };
    return mine;
  }

  /** At the moment of guessing: who has waited may come when another was wrong already. */
  function mayGuess(guess: Guess, most: Guess): boolean {
    if (most === 'nothing' || remembered.isInDoubt('house')) return false;
    return guess === 'house' || (most === 'all' && !remembered.isInDoubt('unlocked'));
  }

  /** Null when one is not known, or an investor's is being written: how that ends is heard of behind its lock. */
  function recallAll({ owned, house }: Found<unknown>) {
    const [ours, theirs] = [remembered.recall(house), remembered.recall(owned)];
    if (!ours || !theirs || theirs.over()) return null;
    return { accounts: [...ours.accounts, ...theirs.accounts], before: ours.over() };
  }

  /** In the moment in which the accounts were recalled: in the next, another may have left them changed. */
  function leaveBy<Done>(mine: Try, book: Book, done: Done, before: Promise<unknown> | null) {
    const posted = book.take();
    mine.leave(posted.accounts);
    return { done, rows: bookRows(posted), before };
  }

  /**
   * Null when that cannot be. Where something is short nothing is written, and so nothing compared: nobody stays unpaid for what
   * is only remembered.
   */
  function byHeart<Facts, Done>(work: Postings<Facts, Done>, found: Found<Facts>, mine: Try, most: Guess) {
    const recalled = mayGuess('all', most) ? recallAll(found) : null;
    if (!recalled) return null;
    const book = new Book(recalled.accounts);
    const done = whereItCan(() => work.post(found.facts, book));
    if (done === null || book.wasShort) return null;
    mine.guess = 'all';
    return leaveBy(mine, book, done, recalled.before);
  }

  async function behindLocks<Facts, Done>(
    tx: Tx,
    work: Postings<Facts, Done>,
    { facts, owned, house }: Found<Facts>,
    mine: Try,
    most: Guess,
  ) {
    const book = await openBook(tx, owned, remembered);
    const recalled = mayGuess('house', most) ? remembered.recall(house) : null;
    if (recalled) mine.guess = 'house';
    book.load(recalled?.accounts ?? (await lockHouse(tx, house)));
    return leaveBy(mine, book, work.post(facts, book), recalled?.over() ?? null);
  }

  /** Behind all of this server's that write it: their entries come before the account, and who had locked it would wait for these. */
  async function lockHouse(tx: Tx, house: AccountRef[]): Promise<Account[]> {
    await Promise.all(underWay);
    return lockAccounts(tx, house);
  }

  async function write<Facts, Done>(
    tx: Tx,
    work: Postings<Facts, Done>,
    found: Found<Facts>,
    mine: Try,
    most: Guess,
  ) {
    if (found.owned.length === 0) return { result: work.post(found.facts, new Book([])) };
    const turn = takeTurn();
    try {
      await turn.come();
      const { done, rows, before } =
        byHeart(work, found, mine, most) ?? (await behindLocks(tx, work, found, mine, most));
      const others = [...rows.journal, ...work.written(done)];
      const sent = [send(tx, rows.owned), send(tx, others)] as const;
      // Where these fail, so does the transaction at its end, and says why. Who waits for another hears of it before, and
      // does not hold meanwhile what it cannot use any more.
      sent[1].catch(() => {});
      await sent[0];
      mine.hasOwned = true;
      turn.end();
      await Promise.all([before, before && sent[1]]);
      return { result: done, last: rows.house };
    } catch (error) {
      // Before the next one's turn, which shall not go on from it.
      mine.fail(error);
      throw error;
    } finally {
      turn.end();
    }
  }

  async function tryOnce<Facts, Done>(work: Postings<Facts, Done>, most: Guess): Promise<Tried<Done>> {
    let mine = begin();
    try {
      const done = await remembered.writing((leave, undo) =>
        readThenWrite(db, {
          read(tx) {
            mine = begin(leave, undo);
            const given = givenTime();
            return work.find(tx, { now: () => timeOfMoney(tx, given), givenTime: given });
          },
          write: (tx, found) => write(tx, work, found, mine, most),
          undone: (error) => mine.fail(error),
        }),
      );
      return { done };
    } catch (error) {
      if (mine.wrong) return { wrong: mine.wrong };
      throw error;
    } finally {
      mine.end();
    }
  }

  return async <Facts, Done>(work: Postings<Facts, Done>): Promise<Done> => {
    let most: Guess = 'all';
    for (;;) {
      const tried: Tried<Done> = await tryOnce(work, most);
      if ('done' in tried) return tried.done;
      // Each time it guesses less, and nothing in the end.
      most = tried.wrong === 'unlocked' ? 'house' : 'nothing';
    }
  };
}
