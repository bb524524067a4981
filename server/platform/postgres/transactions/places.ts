import type pg from 'pg';
import type { Connection } from '../pool/connection.ts';

/** So few that those behind one that stands still do not stop all others: these find a connection of their own. */
const onOneMax = 2;
/**
 * Only for what will be over soon is anybody made to wait: large batches, commits that standbys have to hear of, and who waits
 * for a row, are side by side with others.
 */
const soonMs = 40;

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
  /** Its end, too, is on its way: another may follow. */
  sent(): void;
  /** At its end. What is broken takes no more, and is closed once all have left. */
  leave(isBroken: boolean): void;
}

const silentMs = ({ client }: Track) => (client as unknown as Connection).silentMs();

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
    return hasRoom && lastMs < soonMs && silentMs(track) < soonMs;
  }

  async function open(): Promise<Track> {
    newest = { client: await pool.connect(), underWay: 0, isSending: false, freeSince: 0, isBroken: false };
    return newest;
  }

  return {
    /** For one that asks, and is over when it likes. */
    async own(): Promise<Place> {
      const client = await pool.connect();
      return { client, sent() {}, leave: (isBroken) => client.release(isBroken) };
    },

    /** For one that is one trip, maybe behind another. */
    async shared(): Promise<Place> {
      const track = newest && mayFollow(newest) ? newest : await open();
      const takenAt = performance.now();
      track.underWay += 1;
      track.isSending = true;
      return {
        client: track.client,
        sent() {
          track.isSending = false;
        },
        leave(isBroken) {
          const now = performance.now();
          lastMs = now - Math.max(takenAt, track.freeSince);
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
