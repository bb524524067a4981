import { hash, randomUUID } from 'node:crypto';
import { AppError, errorOf, type Refusal, refuse } from '../../platform/app-error.ts';
import { isDatabaseAway, isDatabaseSlow } from '../../platform/postgres/away.ts';
import { type Statement, send, type Tx } from '../../platform/postgres/db.ts';
import type { JsonValue } from '../../platform/postgres/schema.ts';
import { readThenWrite } from '../../platform/postgres/transactions/read-then-write.ts';
import { createBatch } from '../../platform/work/batch.ts';
import { onceEach } from './account-rules.ts';
import {
  type CommandKey,
  findCommands,
  insertRefusals,
  type KeptCommand,
  keptRefusalsMax,
  waitForWhatWasSeen,
} from './command-store.ts';
import { type AccountRef, Book } from './rules.ts';
import { type BookRows, bookRows, lockAccounts, lockKnown, timeOfMoney } from './store.ts';
import { executeByHeart } from './verb/by-heart.ts';
import { acceptedRows, answerEach, type Decided, decide, firstByName } from './verb/decisions.ts';
import { movementIdOf } from './verb/key-rules.ts';
import {
  type Decision,
  type Keyed,
  type MoneyCommand,
  type MoneyWork,
  nameOf,
  type Opening,
  type VerbNeeds,
} from './verb/money-work.ts';
import type { Remembered } from './verb/remembered.ts';
import { fromStored, StoredAnswer, toStored } from './verb/stored-answer.ts';

const tooManyRefused = refuse(
  'too_many_requests',
  `More than ${keptRefusalsMax} of your requests were refused within a day. Please try again later.`,
  { retryAfterSeconds: 3600 },
);

/** Locks what may be touched, once each, and reads what this server does not know or knows no more. */
export async function openBook(
  tx: Tx,
  refs: AccountRef[],
  remembered: Remembered,
  /** Called when not all could be locked at once, and what was sent behind the first try must be asked again. */
  lockedLater: () => void = () => {},
): Promise<Book> {
  const wanted = onceEach(refs);
  if (wanted.length === 0) return new Book([]);
  // The house's come behind all others, at which everybody meets: they are locked by themselves.
  const recalled = wanted.every(({ ownerId }) => ownerId !== null) ? remembered.recall(wanted) : null;
  const book = new Book(recalled?.accounts ?? []);
  const changed = recalled && (await lockKnown(tx, recalled.accounts));
  book.load(changed ?? (await lockAccounts(tx, wanted, lockedLater)));
  if (recalled && !changed) lockedLater();
  return book;
}

interface Known<Facts> {
  facts: Facts;
  book: Book;
  now: Date;
  kept: KeptCommand[];
}

async function readAll<Command extends MoneyCommand, Facts, Row>(
  tx: Tx,
  work: MoneyWork<Command, Facts, Row>,
  keyed: Keyed<Command>[],
  { givenTime, remembered }: { givenTime: Date | null; remembered: Remembered },
): Promise<Known<Facts>> {
  let found: Awaited<ReturnType<typeof findCommands>> | undefined;
  const opening: Opening = {
    now: () => timeOfMoney(tx, givenTime),
    givenTime,
    async openBook(accounts) {
      // Behind the locks: who had to wait for another with the same key sees now what that has left.
      const find = () => findCommands(tx, keyed, givenTime);
      let isLate = false;
      const opened = openBook(tx, accounts, remembered, () => {
        isLate = true;
      });
      const [book, foundAtOnce] = await Promise.all([opened, find()]);
      found = isLate ? await find() : foundAtOnce;
      return book;
    },
  };
  const { facts, book } = await work.read(
    tx,
    keyed.map(({ command }) => command),
    opening,
  );
  if (!found) throw new Error('money is moved in a book that was not opened');
  return { facts, book, ...found };
}

/** The answers that were given before. */
async function answersOf<Command extends MoneyCommand, Facts, Row>(
  tx: Tx,
  work: MoneyWork<Command, Facts, Row>,
  kept: KeptCommand[],
): Promise<Map<string, Decision<Row>>> {
  const stored = kept.map((each) => ({ name: nameOf(each), answer: StoredAnswer.parse(each.answer) }));
  const transactionids = stored.flatMap(({ answer }) => ('about' in answer ? [answer.about] : []));
  const ids = stored.flatMap(({ answer }) => ('made' in answer ? [answer.made] : []));
  const isAnyMade = ids.length + transactionids.length > 0;
  const rows = isAnyMade && work.made ? await work.made.find(tx, { transactionids, ids }) : [];
  const made = new Map(rows.flatMap((row) => [row.transactionid, row.id].map((id) => [id, row] as const)));
  return new Map(
    stored.flatMap(({ name, answer }) => {
      const id = 'about' in answer ? answer.about : 'made' in answer ? answer.made : null;
      if (id === null) return [[name, fromStored(answer) as Decision<Row>]];
      const row = made.get(id);
      // Another verb's: its body is another, too, and that is what the caller is told.
      return row === undefined ? [] : [[name, { row }]];
    }),
  );
}

/** What a key was answered; null where it was not. Nothing is decided here, so that nothing can move. */
function answerAgain<Command extends MoneyCommand, Facts, Row>(
  { db, givenTime }: VerbNeeds,
  work: MoneyWork<Command, Facts, Row>,
  keyed: Keyed<Command>,
): Promise<Decision<Row> | null> {
  return readThenWrite(db, {
    read: (tx) => findCommands(tx, [keyed], givenTime()),
    async write(tx, { kept }) {
      const [found] = kept;
      if (!found) return { result: null };
      const [answer] = answerEach([keyed], () => found.bodySha256, await answersOf(tx, work, kept));
      return { result: answer ?? null, last: [waitForWhatWasSeen] };
    },
  });
}

/** Writes what the fresh commands leave behind; gives the answers of those that there was no room to refuse. */
async function writeAll<Command extends MoneyCommand, Facts, Row>(
  tx: Tx,
  work: MoneyWork<Command, Facts, Row>,
  decided: Decided<Row>[],
  posted: BookRows,
  now: Date,
): Promise<{ overfull: Map<string, Refusal>; last: Statement[] }> {
  const refused: (CommandKey & { refused: JsonValue })[] = [];
  for (const { keyed, decision } of decided) {
    const { scope, key, bodySha256 } = keyed;
    if ('refused' in decision) refused.push({ scope, key, bodySha256, refused: toStored(decision.refused) });
  }
  const { rows, statements: own } = acceptedRows(work, decided, now);
  const statements = [...posted.owned, ...posted.journal, ...own, ...posted.house];
  const [remembered] = await Promise.all([
    refused.length > 0 ? insertRefusals(tx, refused, now) : [],
    work.write && send(tx, statements),
    work.write?.(tx, rows, now),
  ]);
  const names = new Set(remembered.map(nameOf));
  const forgotten = refused.map(nameOf).filter((name) => !names.has(name));
  const last = work.write ? [] : statements;
  return { overfull: new Map(forgotten.map((name) => [name, tooManyRefused])), last };
}

/**
 * Reads the set, decides in memory, writes the set, commits. A key that was seen before gets its first answer again,
 * refusals included; the same key with another body is told so.
 */
async function execute<Command extends MoneyCommand, Facts, Row>(
  { db, givenTime, remembered }: VerbNeeds,
  work: MoneyWork<Command, Facts, Row>,
  keyed: Keyed<Command>[],
): Promise<Decision<Row>[]> {
  const first = firstByName(keyed);
  const given = givenTime();
  return remembered.writing((leave, undone) =>
    readThenWrite(db, {
      undone,
      read: (tx) => readAll(tx, work, [...first.values()], { givenTime: given, remembered }),
      async write(tx, { facts, book, now, kept }) {
        if (!given) remembered.tell(now);
        const bodies = new Map(kept.map((each) => [nameOf(each), each.bodySha256]));
        const answers = new Map<string, Decision<Row>>();
        const decided: Decided<Row>[] = [];
        for (const keyed of first.values()) {
          if (bodies.has(keyed.name)) continue;
          const decision = decide(work, keyed, { facts, book, now });
          decided.push({ keyed, decision });
          answers.set(keyed.name, decision);
        }
        const posted = book.take();
        if (work.byHeart) leave(posted.accounts);
        else remembered.forget(posted.accounts);
        const [written, earlier] = await Promise.all([
          decided.length > 0 ? writeAll(tx, work, decided, bookRows(posted), now) : null,
          kept.length > 0 ? answersOf(tx, work, kept) : [],
        ]);
        for (const [name, answer] of [...(written?.overfull ?? []), ...earlier]) answers.set(name, answer);
        const bodyOf = (name: string) => bodies.get(name) ?? first.get(name)?.bodySha256;
        const last = [...(kept.length > 0 ? [waitForWhatWasSeen] : []), ...(written?.last ?? [])];
        return { result: answerEach(keyed, bodyOf, answers), last };
      },
    }),
  );
}

/**
 * While one batch is written, the next is read and decided: the server and the database work at the same time. Of one trip,
 * the next is also sent; where both wait then for a row, a third goes on.
 */
const inFlightMax = { oneTrip: 3, severalTrips: 2 };

/** Those by which a key is used once: by movements, by commands that make none, and by the ones or the others. */
const keyConstraints = ['ledger_movements_pkey', 'ledger_commands_pkey', 'ledger_key_not_borne'];
const isKeyTaken = ({ constraint = '' }: Error & { constraint?: string }) =>
  keyConstraints.includes(constraint);
const keyTriesMax = 5;

/** Someone else has just used one of the keys: read again it is known, though by then another may have been used. */
async function againWhenKeyTaken<T>(work: (tries: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work(tries);
    } catch (error) {
      if (tries === keyTriesMax || !isKeyTaken(error as Error)) throw error;
    }
  }
}

export interface Batching {
  batchSizeMax?: number | undefined;
  /** Told how many commands are executed together. */
  onBatch?: ((size: number) => void) | undefined;
}

/**
 * Executes at once what is asked for at once, and answers each caller. What `before` refuses has not spent its key, so
 * that it is good for another try; who was answered under it already is answered as then, whatever is asked for by now.
 */
export type MoneyVerb<Command, Row> = (command: Command, before?: () => Promise<void>) => Promise<Row>;

/** Makes a verb of a module's work. */
export function createMoneyVerb<Command extends MoneyCommand, Facts, Row>(
  { batchSizeMax, onBatch, ...needs }: VerbNeeds & Batching,
  work: MoneyWork<Command, Facts, Row>,
): MoneyVerb<Command, Row> {
  const run = createBatch<Keyed<Command>, Decision<Row>>({
    execute(keyed) {
      onBatch?.(keyed.length);
      return againWhenKeyTaken(
        async (tries) =>
          (tries === 1 ? await executeByHeart(needs, work, keyed) : null) ?? execute(needs, work, keyed),
      );
    },
    ...(batchSizeMax && { sizeMax: batchSizeMax }),
    inFlightMax: work.byHeart ? inFlightMax.oneTrip : inFlightMax.severalTrips,
    // Waiting for a lock again and again would keep everyone behind it waiting, too.
    afterFailure(error) {
      if (isDatabaseSlow(error as Error)) return 'give up';
      return isDatabaseAway(error as Error) ? 'together again' : 'one by one';
    },
  });
  return async (command, before) => {
    const { scope, idempotencyKey } = command;
    // Made once, before the first try: a batch whose commit was not heard of is tried again under the same keys.
    const key = idempotencyKey ?? randomUUID();
    const bodySha256 = hash('sha256', JSON.stringify(work.bodyOf(command)));
    const names = { name: nameOf({ scope, key }), movementId: movementIdOf({ scope, key }) };
    const keyed = { command, scope, key, ...names, bodySha256 };
    const again = await before?.().then(
      () => null,
      async (error) => {
        if (!(error instanceof AppError) || idempotencyKey === null) throw error;
        const answer = await answerAgain(needs, work, keyed);
        if (!answer) throw error;
        return answer;
      },
    );
    const decision = again ?? (await run(keyed));
    if ('refused' in decision) throw errorOf(decision);
    return decision.row;
  };
}
