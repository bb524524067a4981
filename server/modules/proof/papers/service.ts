import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { PaperKind } from '@tallystick/contract/papers';
import { AppError } from '../../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../../platform/audit/audit.ts';
import { type Clock, testTime } from '../../../platform/clock.ts';
import type { Db, ReadDb } from '../../../platform/postgres/db.ts';
import { thoseUnderWayEnd } from '../../../platform/postgres/under-way.ts';
import { createSlots } from '../../../platform/work/slots.ts';
import { moveNothing } from '../rules.ts';
import {
  type AccountKind,
  type Chain,
  type Days,
  daysRefusal,
  firstDay,
  linesOf,
  mayBeWritten,
  newestDay,
  type Paper,
  type PaperEntry,
  type Period,
  paperOf,
  periodOf,
  untouched,
} from './rules.ts';
import { embedded, signedText } from './signature-rules.ts';
import {
  type ChainRow,
  chainsOf,
  countEntries,
  entriesBetween,
  findHolder,
  investmentsIn,
  timeOf,
  withdrawalsAt,
} from './store.ts';
import { csvOf, jsonOf } from './text-files.ts';

interface PapersNeeds {
  db: Db;
  clock: Clock;
  /** Makes a signed note of a text, by the key of the public log. */
  sign: (text: string) => string;
  /** The name of the public log, under which it signs. */
  origin: string;
  brand: string;
  /** Whether it is a demo: what it prints must say so. */
  sample: boolean;
}

/** Beyond so many lines nobody leafs through a PDF: the other files have them all. */
export const pdfLinesMax = 5_000;
/** What is not sent while it is read has a bound. */
const thingsMax = 50_000;
const readAtOnce = 1000;
/** Whoever asks waits for it. */
const othersMsMax = 10_000;

export interface PaperFile {
  kind: PaperKind;
  days: Days;
  /** What a browser saves it as. */
  filename: string;
  body: Readable;
}

interface Asked extends Days {
  userId: string;
  kind: PaperKind;
  on?: ReadDb;
}

function chainOf(row: ChainRow): Chain {
  const headOf = (seq: bigint, hash: Buffer | null, cents: bigint | null) =>
    hash ? { seq, hash: hash.toString('hex'), balanceCents: cents ?? 0n } : untouched.opening;
  return {
    accountId: row.accountId,
    opening: headOf(row.after, row.openingHash, row.openingCents),
    closing: headOf(row.until, row.closingHash, row.closingCents),
    inCents: row.inCents,
    outCents: row.outCents,
  };
}

/** An investor's account statements, each signed by the key of the public log. */
export function createPapers({ db, clock, sign, origin, brand, sample }: PapersNeeds) {
  /** Drawing takes the processor for a while. */
  const inSlot = createSlots({
    runningMax: 2,
    waitingMax: 8,
    message: 'Many statements are being made at this moment. Try again in a few seconds.',
    retryAfterSeconds: 5,
  });

  async function holderOf(userId: string, on: ReadDb) {
    // Where somebody has not arrived yet, they are not said to be missing.
    const holder = (await findHolder(on, userId)) ?? (on === db ? null : await findHolder(db, userId));
    if (!holder) throw new AppError('not_found', 'There is no such investor.');
    return holder;
  }

  function checkDays(days: Days, now: Date): void {
    const refusal = daysRefusal(days, now);
    if (refusal) throw new AppError('outside_range', refusal);
  }

  /**
   * Where all of a period can be read. What happened on its last day may still have to be written down; only what was so
   * an hour ago is everywhere by now.
   */
  async function whereWritten(period: Period, on: ReadDb): Promise<ReadDb> {
    if (!mayBeWritten(period, await timeOf(db, testTime(clock)))) return on;
    const refusal = `What happened on ${period.to} is still being written down. Try again in a few seconds.`;
    await thoseUnderWayEnd(db, { passedOver: moveNothing, msMax: othersMsMax, refusal });
    return db;
  }

  async function read(userId: string, period: Period, on: ReadDb): Promise<Paper> {
    const [{ fullname, email }, rows, investments, withdrawals] = await Promise.all([
      holderOf(userId, on),
      chainsOf(on, userId, period),
      investmentsIn(on, userId, period, thingsMax + 1),
      withdrawalsAt(on, userId, period, thingsMax + 1),
    ]);
    if (investments.length > thingsMax || withdrawals.length > thingsMax) {
      throw new AppError('outside_range', 'There are too many investments for one statement.');
    }
    const chainNamed = (kind: AccountKind) => {
      const row = rows.find((each) => each.kind === kind);
      return row ? chainOf(row) : untouched;
    };
    const chains = {
      wallet: chainNamed('wallet'),
      invested: chainNamed('invested'),
      withdrawing: chainNamed('withdrawing'),
    };
    const holder = { fullname, email };
    return paperOf({ period, origin, brand, sample, holder, chains, investments, withdrawals });
  }

  /** What lies in a period that is written down never changes, so it need not be read at one moment. */
  const entriesOf = ({ chains }: Paper, on: ReadDb) =>
    async function* (kind: AccountKind): AsyncGenerator<PaperEntry[]> {
      const { accountId, opening, closing } = chains[kind];
      for (let after = opening.seq; accountId !== null && after < closing.seq; ) {
        const part = await entriesBetween(on, accountId, { after, until: closing.seq, limit: readAtOnce });
        const last = part.at(-1);
        if (!last) throw new Error('an entry is missing');
        yield part;
        after = last.seq;
      }
    };

  /** Passes on what it reads, and then the signature of it. */
  async function* signed(paper: Paper, kind: PaperKind, parts: AsyncIterable<string | Buffer>) {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const part of parts) {
      const piece = typeof part === 'string' ? Buffer.from(part) : part;
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
    const text = signedText(paper, { kind, bytes, sha256: hash.digest('hex') });
    yield Buffer.from(embedded[kind](sign(text)));
  }

  async function bodyOf(paper: Paper, { kind, userId }: Asked, on: ReadDb): Promise<Readable> {
    const entries = entriesOf(paper, on);
    if (kind === 'csv') return Readable.from(signed(paper, kind, csvOf(paper, entries)));
    if (kind === 'json') return Readable.from(signed(paper, kind, jsonOf(paper, entries)));
    if (linesOf(paper) > pdfLinesMax) {
      const text = `A PDF has at most ${pdfLinesMax.toLocaleString('en')} entries, and these days have more. Choose fewer days, or CSV or JSON.`;
      throw new AppError('outside_range', text);
    }
    // What draws it takes long to load, and few ever ask for it.
    const { drawPaper } = await import('./pdf/paper.ts');
    const pdf = await inSlot(() => drawPaper(paper, entries), userId);
    return Readable.from(signed(paper, kind, Readable.from([pdf])));
  }

  async function fileOf(asked: Asked): Promise<PaperFile> {
    const { kind, from, to, userId } = asked;
    checkDays(asked, await timeOf(db, testTime(clock)));
    const period = periodOf({ from, to });
    const on = await whereWritten(period, asked.on ?? db);
    const body = await bodyOf(await read(userId, period, on), asked, on);
    return { kind, days: { from, to }, filename: `statement-${from}-to-${to}.${kind}`, body };
  }

  return {
    /** Which days there may be papers about, and how many entries some of them have. */
    async span(input: { userId: string; on?: ReadDb } & { [Day in keyof Days]?: string | undefined }) {
      const { userId, from, to, on = db } = input;
      const [{ since }, now] = await Promise.all([holderOf(userId, on), timeOf(db, testTime(clock))]);
      const until = newestDay(now);
      const days = { from: from ?? firstDay, to: to ?? until };
      checkDays(days, now);
      const entries = await countEntries(on, userId, periodOf(days));
      return { since: since.toISOString().slice(0, 10), until, entries };
    },

    paper: fileOf,

    /** The same file for an operator, who leaves a trace. */
    async paperForOperator({ actor, ...asked }: Asked & { actor: Actor }): Promise<PaperFile> {
      const file = await fileOf(asked);
      const { userId, kind, from, to } = asked;
      const details = { format: kind, from, to };
      const entry = { actor, action: 'investor.statement-taken', subjectId: userId, details };
      await writeAudit(db, entry, clock.now());
      return file;
    },
  };
}

export type Papers = ReturnType<typeof createPapers>;
