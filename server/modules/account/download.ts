import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { downloadsPerDay } from '@tallystick/contract/account';
import { AppError } from '../../platform/app-error.ts';
import { type Clock, dayMs, minuteMs } from '../../platform/clock.ts';
import type { Identity } from '../../platform/http/identity.ts';
import { streamedCsv, streamedRows } from '../../platform/http/streaming.ts';
import { takeFromQuota } from '../../platform/http/throttle.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { createSlots } from '../../platform/work/slots.ts';
import { type ZippedFile, zipped } from '../../platform/zip.ts';
import type { Client, User, Users } from '../users/service.ts';
import { type Part, parts, rowsOf, takeSnapshot, type Whose } from './part-store.ts';
import { columnName, csvValue, jsonValue, readme } from './rules.ts';

export interface DownloadNeeds {
  db: Db;
  clock: Clock;
  users: Users;
  siteName: string;
}

/** Who takes longer holds a snapshot that others pay for. */
const msMax = 5 * minuteMs;
/** Who takes nothing for so long has most likely gone, and others wait for the place. */
const untakenMsMax = minuteMs / 2;
const looksMax = 6;
const perDay = { limit: downloadsPerDay, windowMs: dayMs };

const csvFile = (tx: Tx, part: Part, whose: Whose): ZippedFile => ({
  name: `${part.name}.csv`,
  content: streamedCsv(part.columns.map(columnName), rowsOf(tx, part, whose), (row) =>
    part.columns.map((column) => csvValue(column, row[column])),
  ),
});

const jsonFile = (tx: Tx, part: Part, whose: Whose): ZippedFile => ({
  name: `${part.name}.json`,
  content: streamedRows(rowsOf(tx, part, whose), (row) =>
    Object.fromEntries(part.columns.map((column) => [columnName(column), jsonValue(column, row[column])])),
  ),
});

/** Each is read when its turn comes: they share one connection. */
function* filesOf(tx: Tx, whose: Whose, text: string): Generator<ZippedFile> {
  yield { name: 'README.txt', content: Readable.from([text]) };
  for (const part of parts) {
    yield jsonFile(tx, part, whose);
    yield csvFile(tx, part, whose);
  }
}

/** Sends what is read, and lets go of a reader who takes nothing of what lies there. */
async function sendWhileTaken(pieces: AsyncIterable<Uint8Array>, file: PassThrough): Promise<void> {
  const untaken = new AbortController();
  let [read, taken, looks] = [0, 0, 0];
  async function* counted() {
    for await (const piece of pieces) {
      read += piece.length;
      yield piece;
    }
  }
  const look = () => {
    const lying = file.readableLength + file.writableLength;
    looks = lying > 0 && taken === read - lying ? looks + 1 : 0;
    taken = read - lying;
    if (looks === looksMax) untaken.abort();
  };
  const looking = setInterval(look, untakenMsMax / looksMax);
  const signal = AbortSignal.any([untaken.signal, AbortSignal.timeout(msMax)]);
  try {
    await pipeline(Readable.from(counted(), { objectMode: false }), file, { signal });
  } finally {
    clearInterval(looking);
  }
}

/** Everything about an investor, as one file that is sent while it is read. */
export function createDownload({ db, clock, users, siteName }: DownloadNeeds) {
  /** Each holds a connection for as long as its reader takes. */
  const inSlot = createSlots({
    runningMax: 2,
    waitingMax: 8,
    message: 'Many are downloading at this moment. Try again in a minute.',
    retryAfterSeconds: 60,
  });

  /** Counted, noted and told before the first byte leaves: what is interrupted may have been read. */
  async function allow(identity: Identity, client: Client): Promise<User> {
    return inTransaction(db, async (tx) => {
      const user = await users.ownerWhoHasShown(tx, identity);
      const counter = { scope: 'account-download', subject: user.id };
      const quota = await takeFromQuota(tx, counter, perDay, clock.now());
      if (!quota.allowed) {
        const retryAfterSeconds = Math.ceil(quota.retryAfterMs / 1000);
        const message = `Everything can be downloaded ${downloadsPerDay} times a day. Try again tomorrow.`;
        throw new AppError('too_many_requests', message, { retryAfterSeconds });
      }
      await users.noteDownload({ tx, user, client });
      return user;
    });
  }

  async function send(user: User, file: PassThrough): Promise<void> {
    const whose = { userId: user.id, email: user.email };
    const now = clock.now();
    await db.transaction().execute(async (tx) => {
      await takeSnapshot(tx);
      const text = readme({ parts: [...parts], email: user.email, siteName, at: now });
      await sendWhileTaken(zipped(filesOf(tx, whose, text), now), file);
    });
  }

  return {
    /** Where it breaks off, for whatever reason, the file has no end: nobody takes a part for the whole. */
    async download({ identity, client }: { identity: Identity; client: Client }) {
      await users.demandShown(identity);
      const file = new PassThrough();
      // It may break off before anybody reads it.
      file.on('error', () => {});
      const { promise: allowed, resolve, reject } = Promise.withResolvers<void>();
      const sent = inSlot(async () => {
        const user = await allow(identity, client);
        resolve();
        await send(user, file);
      }, identity.userId);
      sent.catch((error) => {
        reject(error);
        file.destroy(error);
      });
      await allowed;
      return { filename: `my-account-${clock.now().toISOString().slice(0, 10)}.zip`, body: file };
    },
  };
}
