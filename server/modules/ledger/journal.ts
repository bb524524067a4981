import { isDatabaseAway } from '../../platform/postgres/away.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import {
  type JournalMovement,
  lastNumberDrawn,
  lockReader,
  markRead,
  movementsAfter,
  readUntil,
  writersUnderWay,
} from './journal-store.ts';

type Act = (tx: Tx, movements: JournalMovement[]) => Promise<void>;

interface Reading {
  reader: string;
  act: Act;
  atOnce: number;
}

/**
 * The journal for those who act on what has happened, each movement once and in order. Numbers are drawn before their
 * transactions end: what was drawn is read when everyone who was writing at that moment has ended.
 */
export function createJournal({ db }: { db: Db }) {
  let waiting: { number: bigint; writers: Set<string> } | null = null;
  let decidedTo = 0n;
  const readTo = new Map<string, bigint>();

  let looking: Promise<bigint> | null = null;

  /** One at a time: a look that is overtaken by another has seen writers who have ended since, and others it has not. */
  function lookAhead(): Promise<bigint> {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  }

  /** Up to where every number is a movement that can be read, or will never be one. */
  async function look(): Promise<bigint> {
    // One after the other: whoever has drawn the number is among those who write, or has ended.
    const number = await lastNumberDrawn(db);
    // Another database has taken over, and lacks the last of what was seen in this one: the same numbers come again.
    if (number < decidedTo) forget();
    if (number === decidedTo) return decidedTo;
    const writers = await writersUnderWay(db);
    if (waiting?.writers.isDisjointFrom(writers)) {
      decidedTo = waiting.number;
      waiting = null;
    }
    if (writers.size === 0) decidedTo = number;
    else waiting ??= { number, writers };
    return decidedTo;
  }

  async function readOn({ reader, act, atOnce }: Reading): Promise<void> {
    const upTo = await lookAhead();
    if (upTo <= (readTo.get(reader) ?? -1n)) return;
    const until = await inTransaction(db, async (tx) => {
      const after = await lockReader(tx, reader);
      if (after === null || after >= upTo) return after;
      const movements = await movementsAfter(tx, { after, upTo }, atOnce);
      await act(tx, movements);
      const last = movements.at(-1);
      const next = last && movements.length === atOnce ? last.number : upTo;
      await markRead(tx, reader, next);
      return next;
    });
    if (until !== null) readTo.set(reader, until);
  }

  /** A database that comes back from a crash, or another in its place, may draw numbers again that were lost with it. */
  function forget(): void {
    waiting = null;
    decidedTo = 0n;
    readTo.clear();
  }

  return {
    /**
     * Lets someone act on the movements that they have not read yet, in the transaction that notes how far they have
     * come.
     */
    async readOn(reading: Reading): Promise<void> {
      try {
        await readOn(reading);
      } catch (error) {
        if (isDatabaseAway(error as Error)) forget();
        throw error;
      }
    },

    /** Whether everything that has happened was read. */
    async hasRead({ reader }: { reader: string }): Promise<boolean> {
      const drawn = await lastNumberDrawn(db);
      return (await readUntil(db, reader)) >= drawn;
    },

    /** One movement, for what could not be acted on in its turn. */
    async actOn({ number, act }: { number: bigint; act: Act }): Promise<void> {
      await inTransaction(db, async (tx) => {
        await act(tx, await movementsAfter(tx, { after: number - 1n, upTo: number }, 1));
      });
    },
  };
}
