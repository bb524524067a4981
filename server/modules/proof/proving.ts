import { randomBytes } from 'node:crypto';
import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import { type Clock, dayMs, minuteMs, systemClock } from '../../platform/clock.ts';
import { takeFromQuota } from '../../platform/http/throttle.ts';
import { logTime, writeLogEntry } from '../../platform/log/outbox.ts';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import { inLongTransaction } from '../../platform/postgres/transactions/long-transaction.ts';
import { thoseUnderWayEnd } from '../../platform/postgres/under-way.ts';
import type { Sealer } from '../../platform/sealing.ts';
import type { Networks } from '../networks/service.ts';
import { auditAfter, insertHead, lastHead } from './audit-store.ts';
import { type LeafRows, startHashing } from './hashing.ts';
import { auditHash, bookLines, emptyAuditHead, heldOf } from './lines-rules.ts';
import { accruedCents, countInvestors, nextInvestors, openInvestors, sumsByKind } from './owed-store.ts';
import {
  type Amounts,
  amountsAt,
  depthFor,
  moveNothing,
  pieces,
  seedOf,
  statementLock,
  sumOf,
} from './rules.ts';
import { standingAt } from './standing.ts';
import * as store from './store.ts';

export interface ProvingNeeds {
  db: Db;
  clock: Clock;
  networks: Networks;
  /** Keeps the statements' keys. */
  sealer: Sealer;
  /** The name of the public log. */
  origin: string;
}

const secondMs = 1000;
/** Money's own transactions end within seconds. */
const othersMsMax = 2 * minuteMs;
const investorsAtOnce = 1000;
const rowsAtOnce = 8;
const auditAtOnce = 1000;
const askedFor = { limit: 50, windowMs: dayMs };

interface Agreed {
  at: Date;
  auditUpTo: bigint;
}

/**
 * Which moment is told of. Money is dated before it is written: by the transaction that writes it, or by a server's memory
 * of the database's clock, which the transaction compares with the clock and is at most ten seconds behind. So whatever is
 * dated a minute ago, or earlier, is of a transaction that has begun by now. Once all of those have ended, however long
 * they took, the next snapshot has every movement up to that moment; numbers of the audit log likewise.
 */
async function agreeOnMoment(tx: Tx, given: Date | null): Promise<Agreed> {
  const { now, auditId } = await store.momentOf(tx, given);
  const at = new Date(Math.floor((now.getTime() - minuteMs) / secondMs) * secondMs);
  const refusal = 'Somebody has been writing for minutes.';
  await thoseUnderWayEnd(tx, { passedOver: moveNothing, msMax: othersMsMax, refusal });
  return { at, auditUpTo: auditId };
}

/** The newest statement. It is refused to make another too soon after it. */
async function lastBefore(tx: Tx, at: Date, origin: string): Promise<store.StatementRow | undefined> {
  const [last] = await store.newestStatements(tx, 1);
  // Under another name one is wanted at once; but none is of a moment before the last, whatever the clock says.
  const leastMs = last?.origin === origin ? minuteMs : secondMs;
  if (last && at.getTime() - last.at.getTime() < leastMs) {
    const why = 'The last statement is younger than a minute.';
    throw new AppError('too_many_requests', why, { retryAfterSeconds: minuteMs / secondMs });
  }
  return last;
}

type Hashing = ReturnType<typeof startHashing>;

/** What fails is told to whoever awaits it, also when something else has failed before. */
function awaitedLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

/** Everybody's leaves, each into its place. The database sorts them: here there are never more than a few. */
async function writeLeaves(tx: Tx, hashing: Hashing, at: Date): Promise<number> {
  await store.makeRoomForLeaves(tx);
  await openInvestors(tx, at);
  let count = 0;
  /** What was sent last may still be on its way; what was sent before can be written into. */
  let sent: LeafRows | null = null;
  let spare: LeafRows | null = null;
  let copied: Promise<void> = Promise.resolve();
  for (let next = nextInvestors(tx, investorsAtOnce); ; ) {
    const found = await next;
    if (found.length === 0) break;
    next = awaitedLater(nextInvestors(tx, investorsAtOnce));
    const rows: LeafRows = await hashing.leaves(found, count, spare);
    await copied;
    [spare, sent] = [sent, rows];
    copied = awaitedLater(store.copyLeaves(tx, rows));
    count += found.length;
  }
  await copied;
  return count;
}

async function growTree(tx: Tx, hashing: Hashing, number: bigint): Promise<Buffer> {
  await store.keepLeaves(tx, number);
  for (let next = store.nextRows(tx, rowsAtOnce); ; ) {
    const found = await next;
    if (found.length === 0) break;
    next = awaitedLater(store.nextRows(tx, rowsAtOnce));
    await store.keepTiles(tx, number, await hashing.rows(found));
  }
  const { tiles, root } = await hashing.end();
  await store.keepTiles(tx, number, tiles);
  return root;
}

/** What the ledger itself says is owed: the tree has to come to the same. */
async function owedByLedger(tx: Tx, at: Date): Promise<Amounts> {
  const sums = await sumsByKind(tx, at);
  const of = (kind: string) => sums.get(kind) ?? 0n;
  return [of('wallet'), of('invested'), await accruedCents(tx, at, at), of('withdrawing')];
}

async function writeAuditHead(tx: Tx, upTo: bigint, now: Date): Promise<void> {
  const last = await lastHead(tx);
  if (last && last.upTo >= upTo) return;
  let head = last?.head.toString('hex') ?? emptyAuditHead;
  let entries = last?.entries ?? 0n;
  for (let after = last?.upTo ?? 0n; ; ) {
    const found = await auditAfter(tx, { after, upTo }, auditAtOnce);
    for (const fields of found) head = auditHash(head, fields);
    entries += BigInt(found.length);
    const [id] = found.at(-1) ?? [];
    if (id === undefined || found.length < auditAtOnce) break;
    after = BigInt(id);
  }
  const lines = [
    ['time', logTime(now)],
    ['entries', String(entries)],
    ['head', head],
  ] as const;
  const entryId = await writeLogEntry(tx, 'audit/v1', lines, now);
  await insertHead(tx, { upTo, entries, head: Buffer.from(head, 'hex') }, entryId);
}

/** Makes statements of the books, each on one snapshot and whole or not at all. */
export function createProving({ db, clock, networks, sealer, origin }: ProvingNeeds) {
  type Prices = Awaited<ReturnType<Networks['newestPrices']>>;
  const givenTime = () => (clock === systemClock ? null : clock.now());
  const stopping = new AbortController();

  async function writeStatement(tx: Tx, agreed: Agreed & { prices: Prices; actor: Actor | null }) {
    const { at, auditUpTo, prices, actor } = agreed;
    // In the snapshot: another may have been made meanwhile.
    const last = await lastBefore(tx, at, origin);
    const number = (last?.number ?? 0n) + 1n;
    const depth = depthFor((await countInvestors(tx)) * pieces, last?.depth ?? 0);
    const key = randomBytes(32);
    const seed = seedOf({ origin, number, time: logTime(at) });
    const hashing = startHashing({ statement: number, seed, key, depth });
    try {
      const investors = await writeLeaves(tx, hashing, at);
      const node = await growTree(tx, hashing, number);
      const owed = amountsAt(node, 32);
      sumOf(owed);
      const ledger = await owedByLedger(tx, at);
      if (String(owed) !== String(ledger)) {
        throw new Error(`the tree comes to ${owed}, and the ledger to ${ledger}`);
      }
      const facts = {
        ...(await standingAt(tx, { networks, prices, at })),
        number,
        at,
        depth,
        owed,
        root: node.subarray(0, 32),
      };
      const now = clock.now();
      const entryId = await writeLogEntry(tx, 'books/v1', bookLines(facts), now);
      const sealedKey = sealer.seal(key.toString('hex'));
      const row = { ...facts, ...heldOf(facts), origin, investors, sealedKey };
      await store.insertStatement(tx, { ...row, entryId });
      await writeAuditHead(tx, auditUpTo, now);
      if (actor) {
        const entry = { actor, action: 'books.proven', details: { number: String(number) } };
        await writeAudit(tx, entry, now);
      }
      return { number, at, owed, investors, depth };
    } finally {
      await hashing.stop();
    }
  }

  /** Each statement is kept for good, and is as large as the house: the clock's is enough but for a few. */
  async function demandQuota(actor: Actor | null): Promise<void> {
    if (!actor) return;
    const counter = { scope: 'prove', subject: actor.kind };
    const { allowed, retryAfterMs } = await takeFromQuota(db, counter, askedFor, clock.now());
    if (allowed) return;
    const why = `Operators have asked for ${askedFor.limit} statements within a day.`;
    throw new AppError('too_many_requests', why, { retryAfterSeconds: Math.ceil(retryAfterMs / secondMs) });
  }

  return {
    /** A statement of how things stood a minute ago. */
    async prove({ actor = null }: { actor?: Actor | null } = {}) {
      await demandQuota(actor);
      const prices = await networks.newestPrices();
      const made = await inLongTransaction(db, statementLock, {
        before: (tx) => agreeOnMoment(tx, givenTime()),
        work: (tx, agreed) => writeStatement(tx, { ...agreed, prices, actor }),
        signal: stopping.signal,
      });
      if (!made) throw new AppError('busy', 'A statement is being made at this moment.');
      return made;
    },

    /** The server ends: nobody waits for a statement that takes a minute. It is made by whoever comes next. */
    stop: () => stopping.abort(),
  };
}
