import { AccountMap, onceEach } from '../account-rules.ts';
import type { Account, AccountRef } from '../rules.ts';

/** Of each kind, so of some ten thousand investors; those that have been known for the longest time are forgotten first. */
const accountsMax = 16_384;
/** How long the database's clock is taken to go as ours does. */
const clockMsMax = 10_000;
/** Who guessed wrong shares its accounts with another server, or its callers repeat themselves: asking is cheaper then. */
const doubtMsMax = 1_000;

/**
 * What has led to a wrong guess: what is remembered of the investors' accounts, even what had just been read of them, what was
 * settled on without locking it, or what is remembered of the house's. Another server may share the ones and not the others.
 */
type Doubted = 'remembered' | 'read' | 'unlocked' | 'house';

/** The transaction that writes an account. */
interface Writing {
  isOver: boolean;
  over: Promise<unknown>;
  end(): void;
}

function begin(): Writing {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const end = () => {
    writing.isOver = true;
    resolve();
  };
  const writing = { isOver: false, over, end };
  return writing;
}

/** Of what was only read. */
const onlyRead: Writing = { isOver: true, over: Promise.resolve(), end() {} };

/** Accounts as they will be when all transactions are over that write them at this moment. */
interface Recalled {
  accounts: Account[];
  /** Null when there is none. */
  over(): Promise<unknown> | null;
}

/** Null where it fails: what is remembered may be the reason, so it is done on locked accounts then, which say it again. */
export function whereItCan<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}

/**
 * What this server knows of the accounts that it has written or read, and of the time, so that it need not ask. It is a guess:
 * whoever acts on it lets the database compare, behind the locks of the accounts or with what is written, which is nothing then
 * when one is another.
 */
export function createRemembered() {
  const known = new AccountMap<{ account: Account; writing: Writing }>();
  let clock = { databaseMs: 0, ownMs: Number.NEGATIVE_INFINITY };
  const doubtedAt = new Map<Doubted, number>();

  function forget(refs: AccountRef[]): void {
    for (const ref of refs) known.delete(ref);
  }

  function keep(accounts: Account[], writing: Writing): void {
    for (const account of accounts) {
      const found = known.get(account);
      if (!found) {
        known.set(account, { account: { ...account }, writing });
        known.shrink(account.kind, accountsMax);
        continue;
      }
      // Changed where it is: what lives long and is replaced often is dear to collect.
      const { balanceCents, entryCount, head, lastEntryAt } = account;
      Object.assign(found.account, { balanceCents, entryCount, head, lastEntryAt });
      found.writing = writing;
    }
  }

  const isInDoubt = (what: Doubted) =>
    performance.now() - (doubtedAt.get(what) ?? Number.NEGATIVE_INFINITY) < doubtMsMax;

  return {
    isInDoubt,

    /** Which of these investors' are to be read first. */
    unknown: (refs: AccountRef[]): AccountRef[] => onceEach(refs.filter((ref) => !known.get(ref))),

    /** Which may be another by now; but what is being written here is known best here. */
    doubtful(refs: AccountRef[]): Account[] {
      if (!isInDoubt('remembered')) return [];
      const accounts = new Set<Account>();
      for (const ref of refs) {
        const found = known.get(ref);
        if (found?.writing.isOver) accounts.add(found.account);
      }
      return [...accounts];
    },

    /** What was read, where no more has been written meanwhile. */
    learn(read: Account[]): void {
      const isNews = (account: Account) => {
        const found = known.get(account);
        return !found || found.account.entryCount <= account.entryCount;
      };
      keep(read.filter(isNews), onlyRead);
    },

    /** All of them, or null; to be used at once, before others are kept. */
    recall(refs: AccountRef[]): Recalled | null {
      const accounts: Account[] = [];
      const writings = new Set<Writing>();
      for (const ref of refs) {
        const found = known.get(ref);
        if (!found) return null;
        accounts.push(found.account);
        if (!found.writing.isOver) writings.add(found.writing);
      }
      return {
        accounts,
        over: () => (writings.size > 0 ? Promise.all([...writings].map(({ over }) => over)) : null),
      };
    },

    /**
     * A transaction; from when it says how it leaves accounts on, others go on from there. One that is tried again says at once
     * what was undone: nobody is to go on from that any more, nor to wait for it, least of all with what the next try needs.
     */
    async writing<T>(
      transaction: (leave: (accounts: Account[]) => void, undo: () => void) => Promise<T>,
    ): Promise<T> {
      let writing = begin();
      let left: Account[] = [];
      const leave = (accounts: Account[]) => {
        left.push(...accounts);
        keep(accounts, writing);
      };
      const undo = () => {
        forget(left);
        left = [];
        writing.end();
        writing = begin();
      };
      try {
        return await transaction(leave, undo);
      } catch (error) {
        forget(left);
        throw error;
      } finally {
        writing.end();
      }
    },

    forget,

    doubt(what: Doubted): void {
      doubtedAt.set(what, performance.now());
    },

    /** What the database's clock showed a moment ago. */
    tell(now: Date): void {
      clock = { databaseMs: now.getTime(), ownMs: performance.now() };
    },

    /** Never ahead of the database's clock; null when that was not heard of for a while. */
    now(): Date | null {
      const passedMs = performance.now() - clock.ownMs;
      return passedMs < clockMsMax ? new Date(Math.floor(clock.databaseMs + passedMs)) : null;
    },
  };
}

export type Remembered = ReturnType<typeof createRemembered>;
