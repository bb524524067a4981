import type pg from 'pg';
import type { Connection } from '../pool/connection.ts';

/** So few that those behind one that stands still do not stop all others: these find a connection of their own. */
const onOneMax = 2;
/**
 * Only where they are over soon are they behind each other, which a batch of 64 is. Where the last one took longer, as large
 * batches do and commits that wait for a standby far away, or where the one before is silent for so long, as who waits for a row
 * is, they are side by side. Who is there already waits as long as that takes.
 */
const soonMs = 20;

/** A connection that only has transactions of one trip. */
interface Track {
  client: pg.PoolClient;
  /** How many are there and not over. */
  underWay: number;
  /** Whether the last to come has not sent all it has to send: what another sent meanwhile would be in the middle of it. */
  isSending: boolean;
  /** When the last of those that are over ended. */
  freeSince: number;
  isBroken: boolean;
}

/** Where a transaction is executed. */
interface Place {
  client: pg.PoolClient;
  /** Since when it has been the only one there, or the first. */
  firstSince(): number;
  /** Its end, too, is on its way: another may follow. */
  sent(): void;
  /** At its end. What is broken takes no more, and is closed once all have left. */
  leave(isBroken: boolean): void;
}

/**
 * A transaction of one trip may be sent behind another over the same connection: the database goes from the one to the next
 * without waiting for the server, and leaves it the processor that a second connection's process would take.
 */
export function createPlaces(pool: Pick<pg.Pool, 'connect'>) {
  let newest: Track | null = null;
  /** How long the last one took, once it had the connection for itself. */
  let lastMs = 0;

  function mayFollow(track: Track): boolean {
    const { underWay, isSending, isBroken } = track;
    const hasRoom = underWay > 0 && underWay < onOneMax && !isSending && !isBroken;
    const connection = track.client as unknown as Connection;
    return hasRoom && lastMs < soonMs && connection.silentMs() < soonMs && connection.isGood();
  }

  async function open(): Promise<Track> {
    newest = { client: await pool.connect(), underWay: 0, isSending: false, freeSince: 0, isBroken: false };
    return newest;
  }

  return {
    /** For one that asks, and is over when it likes. */
    async own(): Promise<Place> {
      const client = await pool.connect();
      const takenAt = performance.now();
      return { client, firstSince: () => takenAt, sent() {}, leave: (isBroken) => client.release(isBroken) };
    },

    /** For one that is one trip, maybe behind another. */
    async behindAnother(): Promise<Place> {
      const track = newest && mayFollow(newest) ? newest : await open();
      const takenAt = performance.now();
      const firstSince = () => Math.max(takenAt, track.freeSince);
      track.underWay += 1;
      track.isSending = true;
      return {
        client: track.client,
        firstSince,
        sent() {
          track.isSending = false;
        },
        leave(isBroken) {
          const now = performance.now();
          lastMs = now - firstSince();
          track.freeSince = now;
          track.isBroken ||= isBroken;
          track.underWay -= 1;
          if (track.underWay === 0) track.client.release(track.isBroken);
        },
      };
    },
  };
}

export type Places = ReturnType<typeof createPlaces>;
