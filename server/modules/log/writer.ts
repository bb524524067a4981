import { type KeyObject, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { isDatabaseAway } from '../../platform/postgres/away.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import { createKept } from './kept.ts';
import { type Checkpoint, checkpointText, logSignatures, noteOf, parseCheckpoint } from './note-rules.ts';
import { appendLeaves, hashOf, leafHash, openTiles, type Tile, tilesOf } from './rules.ts';
import {
  insertCheckpoint,
  keepAnew,
  lockSize,
  lookAtLog,
  newestCheckpoint,
  placeEntries,
  readTiles,
  stopOfOthers,
  takeBackStop,
  tellStop,
  waitingEntries,
} from './store.ts';

interface WriterNeeds {
  db: Db;
  clock: Clock;
  logger: Logger;
  /** The log's name. */
  origin: string;
  /** The first is the log's; others sign beside it while it is being replaced. */
  keys: readonly KeyObject[];
  dir: string;
}

const appendedAtOnce = 1_000;
const lookMs = 1_000;
const whatToDo = 'docs/trust.md, After a restore, says what to do.';

/** The log is not the one that was signed: whatever is signed now would be a second one under the same name. */
class Refusal extends Error {}
/** Another server has found it out, which has kept what this one has not. */
class RefusalOfOthers extends Refusal {}

/**
 * The one writer of the log: gives the entries that wait their places, signs what the tree has become, and never signs
 * what does not contain all that was signed before. Every step can be the last before the power fails: a place and its
 * tiles are one transaction, and what is kept outside the database is never ahead of what the database has committed.
 */
export function createWriter({ db, clock, logger, origin, keys, dir }: WriterNeeds) {
  const kept = createKept(dir);
  /** By what the other servers know this one. */
  const server = randomUUID();
  let stopped: string | null = null;
  let isSaid = false;
  /** How far the log was found to be whole and signed under this name with these keys. */
  let wellUntil: number | null = null;

  /** Null when a tile is not there. */
  const rootAt = async (tx: Tx, size: number): Promise<Buffer | null> => {
    const range = { start: 0, end: size };
    const tiles = await readTiles(tx, tilesOf([range]));
    try {
      return hashOf(range, tiles);
    } catch {
      return null;
    }
  };
  const misfit = (size: number) =>
    new Refusal(`The tiles in the database are not those of a log of ${size} entries. ${whatToDo}`);

  async function demandContained(tx: Tx, size: number, signed: Checkpoint, where: string): Promise<void> {
    if (signed.size > size) {
      throw new Refusal(
        `The database has ${size} entries of the log; ${signed.size} were signed, says ${where}. ${whatToDo}`,
      );
    }
    const root = await rootAt(tx, signed.size);
    if (!root?.equals(signed.root)) {
      throw new Refusal(
        `The first ${signed.size} entries are not those that were signed, says ${where}. ${whatToDo}`,
      );
    }
  }

  /** Takes hold of the log, and finds in it all that was ever signed. */
  async function takeWhole(tx: Tx, keptNote: string | null) {
    await lockNames(tx, ['log']);
    const size = await lockSize(tx);
    const newest = await newestCheckpoint(tx);
    if (newest) await demandContained(tx, size, newest, 'the database itself');
    const outside = keptNote === null ? null : parseCheckpoint(keptNote);
    if (keptNote !== null && !outside) {
      throw new Refusal(`The checkpoint that is kept in DATA_DIR cannot be read. ${whatToDo}`);
    }
    if (outside) await demandContained(tx, size, outside, 'the checkpoint that is kept in DATA_DIR');
    const ofOthers = await stopOfOthers(tx, server);
    if (ofOthers !== null) throw new RefusalOfOthers(ofOthers);
    return { size, newest };
  }

  function grown(size: number, open: Tile[], leaves: Buffer[]): Tile[] {
    try {
      return appendLeaves(size, open, leaves);
    } catch {
      throw misfit(size);
    }
  }

  /** How many entries got their place. */
  async function append(keptNote: string | null): Promise<number> {
    return inTransaction(db, async (tx) => {
      const { size } = await takeWhole(tx, keptNote);
      const entries = await waitingEntries(tx, appendedAtOnce);
      if (entries.length === 0) return 0;
      const leaves = entries.map(({ entry }) => leafHash(Buffer.from(entry)));
      const tiles = grown(size, await readTiles(tx, openTiles(size)), leaves);
      await placeEntries(
        tx,
        size,
        entries.map(({ id }) => id),
        tiles,
      );
      return entries.length;
    });
  }

  async function signAnew(): Promise<void> {
    const keptNote = await kept.read();
    await inTransaction(db, async (tx) => {
      const { size, newest } = await takeWhole(tx, keptNote);
      if (size === 0) return;
      const root = await rootAt(tx, size);
      if (!root) throw misfit(size);
      const checkpoint = { size, root };
      const text = checkpointText(origin, checkpoint);
      const signatures = logSignatures(origin, text, keys);
      const note = noteOf(text, signatures);
      if (keptNote !== note) await kept.write(note);
      const isSigned = newest?.size === size;
      if (!isSigned) await insertCheckpoint(tx, { ...checkpoint, note, signedAt: clock.now() });
      await keepAnew(tx, isSigned && newest.note !== note ? { size, note } : null);
      wellUntil = size;
    });
  }

  /** Appends what waits and signs it, and says whether more may be waiting. */
  async function writeOnce(): Promise<boolean> {
    const { size, isWaiting, signed } = await lookAtLog(db);
    if (!isWaiting && size === signed && size === wellUntil) return false;
    const appended = await append(await kept.read());
    await signAnew();
    return appended === appendedAtOnce;
  }

  /** As long as it is so, again and again; null takes it back. */
  async function sayToOthers(reason: string | null): Promise<void> {
    if (reason !== null) await tellStop(db, server, reason);
    else if (isSaid) await takeBackStop(db, server);
    isSaid = reason !== null;
  }

  async function write(): Promise<boolean> {
    try {
      const isMore = await writeOnce();
      if (stopped !== null) logger.warn('the public log is signed again');
      stopped = null;
      await sayToOthers(null);
      return isMore;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      wellUntil = null;
      if (stopped !== error.message) {
        logger.error({ alert: true, reason: error.message }, 'the public log is not signed any more');
      }
      stopped = error.message;
      // What others say is theirs to say again: two would hold each other up for ever.
      await sayToOthers(error instanceof RefusalOfOthers ? null : error.message);
      return false;
    }
  }

  return {
    write,

    /** Why nothing is signed any more, here or on another server; null when all is well. */
    stopped: async (): Promise<string | null> => stopped ?? stopOfOthers(db, server),

    /** Writes until it is stopped; `afterwards` is done each time and waited for by nobody. */
    start(afterwards: () => void) {
      const stopping = new AbortController();
      async function run(): Promise<void> {
        while (!stopping.signal.aborted) {
          const isMore = await write().catch((error) => {
            const level = isDatabaseAway(error) ? 'debug' : 'error';
            logger[level]({ err: error }, 'the public log could not be written; it is tried again');
            return false;
          });
          afterwards();
          if (!isMore) await delay(lookMs, undefined, { signal: stopping.signal }).catch(() => {});
        }
      }
      const ended = run();
      return {
        async stop(): Promise<void> {
          stopping.abort();
          // What it has said stands for a minute more: started again, it says it anew, and nobody has signed meanwhile.
          await ended;
        },
      };
    },
  };
}
