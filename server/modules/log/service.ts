import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Db, ReadDb } from '../../platform/postgres/db.ts';
import { checkpointText, logSignatures, noteOf, vkeyOf } from './note-rules.ts';
import {
  bundleOf,
  bundleRange,
  cutTile,
  hashBytes,
  isWithin,
  parseTileAddress,
  type TileAddress,
} from './rules.ts';
import {
  entriesIn,
  entriesOfKind,
  forgetStops,
  lookAtLog,
  newestCheckpoint,
  newestOfNow,
  newestServed,
  noteShown,
  readTiles,
  type SignedCheckpoint,
} from './store.ts';
import { createWitnesses, type Witness } from './witnesses.ts';
import { createWriter } from './writer.ts';

export { createListRoot } from './rules.ts';

interface LogNeeds {
  db: Db;
  clock: Clock;
  logger: Logger;
  siteUrl: string;
  keys: readonly KeyObject[];
  /** Where the last signed checkpoint is kept. */
  dir: string;
  witnesses: readonly Witness[];
}

/** How long a new checkpoint waits for its witnesses before it is served without them. */
const witnessMsMax = 5_000;

/** The log's name: where it is found, without the scheme. */
export const logOriginOf = (siteUrl: string): string => `${new URL(siteUrl).host}/log`;

/** What a verifier of the log is given. */
export function logVkey(siteUrl: string, [key]: readonly KeyObject[]): string {
  if (!key) throw new Error('the log has no key');
  return vkeyOf(logOriginOf(siteUrl), createPublicKey(key));
}

/** What stands at an address, which never changes; null where it is not all there, or not yet. */
async function tileOn(on: ReadDb, address: TileAddress): Promise<Buffer | null> {
  const { level, number, width } = address;
  if (level === 'entries') {
    const entries = await entriesIn(on, bundleRange(address));
    return entries.length === width ? bundleOf(entries) : null;
  }
  const [tile] = await readTiles(on, [{ level, number }]);
  const hashes = tile ? cutTile(tile.hashes, width) : null;
  return hashes?.length === width * hashBytes ? hashes : null;
}

/** The public log: what was told to it, in an order that cannot be changed unseen. */
export function createLog({ siteUrl, keys, dir, witnesses: asked, ...base }: LogNeeds) {
  const { db, clock } = base;
  const origin = logOriginOf(siteUrl);
  const vkey = logVkey(siteUrl, keys);
  const writer = createWriter({ ...base, origin, keys, dir });
  const witnesses = createWitnesses({ ...base, origin, witnesses: asked });

  /** What was shown once: whoever has seen it would take a smaller log for one that was cut. */
  let shown = 0;
  async function served(): Promise<SignedCheckpoint | null> {
    const now = clock.now().getTime();
    const found = await newestServed(db, {
      witnesses: witnesses.names,
      shown,
      signedBefore: new Date(now - witnessMsMax),
      signedAfter: new Date(now + witnessMsMax),
    });
    if (found && found.size > shown) {
      shown = found.size;
      // Where the database takes no write just now, this server alone remembers.
      await noteShown(db, shown).catch(() => {});
    }
    return found;
  }

  async function showWitnesses(): Promise<void> {
    if (witnesses.names.length === 0 || (await writer.stopped()) !== null) return;
    const newest = await newestOfNow(db);
    if (newest) witnesses.show(newest);
  }

  return {
    vkey,

    origin,

    /** A text under the log's name, signed by its keys. It must say in its first line what it is: no checkpoint. */
    signNote: (text: string): string => noteOf(text, logSignatures(origin, text, keys)),

    /** Appends and signs what waits, now. */
    async write(): Promise<void> {
      while (await writer.write());
      await showWitnesses();
    },

    /** The newest checkpoint with the signatures of its witnesses; null before the first. */
    async checkpoint(): Promise<string | null> {
      const newest = await served();
      if (!newest) return null;
      const { note } = newest;
      // Signed under another name, and not anew: what witnesses say to the name of now does not belong there.
      const isOurs = note.startsWith(checkpointText(origin, newest));
      return isOurs ? note + (await witnesses.signaturesUnder(newest)).join('') : note;
    },

    /** A tile or a bundle of entries, by the address after `tile/`; null beyond what the served checkpoint covers. */
    async tile({ path, on = db }: { path: string; on?: ReadDb }): Promise<Buffer | null> {
      const address = parseTileAddress(path);
      if (!address) return null;
      const newest = await served();
      if (!newest || !isWithin(newest.size, address)) return null;
      // The checkpoint was the newest; a replica may not have what it covers yet.
      return (await tileOn(on, address)) ?? (on === db ? null : tileOn(db, address));
    },

    async entries(input: { kind: string; before: number | undefined; limit: number; on?: ReadDb }) {
      const { kind, before, limit, on = db } = input;
      const size = (await served())?.size ?? 0;
      const below = Math.min(before ?? size, size);
      const found = await entriesOfKind(on, { kind, below, limit: limit + 1 });
      return { entries: found.slice(0, limit), more: found.length > limit };
    },

    async state() {
      const [newest, seen, stopped] = await Promise.all([served(), witnesses.state(), writer.stopped()]);
      return {
        origin,
        vkey,
        size: newest?.size ?? 0,
        signedAt: newest?.signedAt ?? null,
        witnesses: seen,
        stopped,
      };
    },

    /** Why nothing is signed any more; null when all is well. */
    stopped: writer.stopped,

    async health() {
      const [{ size }, newest, stopped] = await Promise.all([
        lookAtLog(db),
        newestCheckpoint(db),
        writer.stopped(),
      ]);
      const sinceMs = newest ? clock.now().getTime() - newest.signedAt.getTime() : null;
      return {
        size,
        secondsSinceSigned: sinceMs === null ? null : sinceMs / 1000,
        isStopped: stopped !== null,
      };
    },

    /** The newest signed checkpoint as it is in the database; null before the first. */
    newestNote: async (): Promise<string | null> => (await newestOfNow(db))?.note ?? null,

    /** Once an hour: of servers that said it and were heard of no more. */
    forgetStops: () => forgetStops(db),

    /** Writes and shows it to the witnesses, until it is stopped. */
    start() {
      let showing: Promise<unknown> = Promise.resolve();
      const show = () =>
        showWitnesses().catch((error) => base.logger.debug({ err: error }, 'no witness could be asked'));
      const writing = writer.start(() => {
        showing = showing.then(show);
      });
      return {
        async stop(): Promise<void> {
          await writing.stop();
          await Promise.all([showing, witnesses.stop()]);
        },
      };
    },
  };
}

export type PublicLog = ReturnType<typeof createLog>;
