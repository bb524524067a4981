import { hash, randomUUID } from 'node:crypto';
import { errorCodes } from '@tallystick/contract/errors';
import { z } from 'zod';
import { errorOf, type Refusal, refuse } from '../../platform/app-error.ts';
import {
  type Db,
  isDatabaseAway,
  isDatabaseSlow,
  readThenWrite,
  type Statement,
  send,
  type Tx,
} from '../../platform/postgres/db.ts';
import type { JsonValue } from '../../platform/postgres/schema.ts';
import { createBatch } from '../../platform/work/batch.ts';
import {
  type CommandKey,
  findCommands,
  insertCommands,
  insertRefusals,
  type KeptCommand,
  keptRefusalsMax,
} from './command-store.ts';
import { type AccountRef, accountKey, Book } from './rules.ts';
import { bookRows, lockAccounts, timeOfMoney } from './store.ts';

/** A wish to move money, or to ask for it, that must have its effect at most once. */
export interface MoneyCommand {
  /** Whose keys these are, so that one person's key can never meet another's. */
  scope: string;
  /** Made by the client for each submit; null when it sent none. */
  idempotencyKey: string | null;
}

export type Decision<Row> = Refusal | { row: Row };

/** How whoever moves money begins. */
export interface Opening {
  /** By the clock that all servers share; asked for by those who need it before they decide. */
  now(): Promise<Date>;
  /** Locks the accounts that may be touched, after everything else that is locked. */
  openBook(accounts: AccountRef[]): Promise<Book>;
}

/**
 * How a module executes its commands, together, in one transaction. A row is what an accepted command leaves behind;
 * it is written by the module, kept with the command's key, and is the caller's answer, the first time and again.
 */
export interface MoneyWork<Command extends MoneyCommand, Facts, Row> {
  /** What makes two commands the same: everything that was asked for. */
  bodyOf(command: Command): JsonValue;
  /** Reads, and locks where they may change, the module's own rows for all commands at once, and opens the book. */
  read(tx: Tx, commands: Command[], opening: Opening): Promise<{ facts: Facts; book: Book }>;
  /** Pure: one command after the other, against facts and balances as the earlier ones left them. */
  decide(input: { command: Command; facts: Facts; book: Book; now: Date }): Decision<Row>;
  /** Writes the module's own rows for the accepted commands; the ledger's are on their way already. */
  write?(tx: Tx, rows: Row[], now: Date): Promise<void>;
  /** Where no answer is needed, its rows travel with the ledger's, and all of them with the commit. */
  written?(rows: Row[], now: Date): Statement[];
  /** Where what was answered never changes, only its id is kept with the key, and the answer is made of it again. */
  made?: {
    idOf(row: Row): string;
    find(tx: Tx, ids: string[]): Promise<Row[]>;
  };
}

/** What is kept with a command's key: a decision, in JSON, or the id of what it made. */
const StoredAnswer = z.union([
  z.object({
    refused: z.object({
      code: z.enum(errorCodes),
      message: z.string(),
      retryAfterSeconds: z.number().optional(),
      by: z.string().nullish(),
    }),
  }),
  z.object({ made: z.string() }),
  z.object({ row: z.json() }),
]);

interface Keyed<Command> extends CommandKey {
  command: Command;
  /** Of scope and key together. */
  name: string;
}

/** Rows hold cents and dates, which JSON does not know. */
function toStored(value: unknown): JsonValue {
  if (typeof value === 'bigint') return { $bigint: String(value) };
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Array.isArray(value)) return value.map(toStored);
  const stored: Record<string, JsonValue> = {};
  for (const [key, each] of Object.entries(value)) stored[key] = toStored(each);
  return stored;
}

function fromStored(stored: unknown): unknown {
  return JSON.parse(JSON.stringify(stored), (_, value) => {
    if (typeof value?.$date === 'string') return new Date(value.$date);
    return typeof value?.$bigint === 'string' ? BigInt(value.$bigint) : value;
  });
}

const nameOf = ({ scope, key }: { scope: string; key: string }) => `${scope}\n${key}`;
const keyReused = refuse('key_reused', 'This Idempotency-Key was used for another request.');
const tooManyRefused = refuse(
  'too_many_requests',
  `More than ${keptRefusalsMax} of your requests were refused within a day. Please try again later.`,
  { retryAfterSeconds: 3600 },
);

/** Locks what may be touched, once each. */
export async function openBook(tx: Tx, refs: AccountRef[]): Promise<Book> {
  const wanted = [...new Map(refs.map((ref) => [accountKey(ref), ref])).values()];
  return new Book(wanted.length > 0 ? await lockAccounts(tx, wanted) : []);
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
  givenTime: Date | null,
): Promise<Known<Facts>> {
  let finding: ReturnType<typeof findCommands> | undefined;
  const opening: Opening = {
    now: () => timeOfMoney(tx, givenTime),
    async openBook(accounts) {
      const opened = openBook(tx, accounts);
      // Behind the locks: who had to wait for another with the same key sees now what that has left.
      finding = findCommands(tx, keyed, givenTime);
      const [book] = await Promise.all([opened, finding]);
      return book;
    },
  };
  const { facts, book } = await work.read(
    tx,
    keyed.map(({ command }) => command),
    opening,
  );
  if (!finding) throw new Error('money is moved in a book that was not opened');
  return { facts, book, ...(await finding) };
}

/** The answers that were given before. */
async function answersOf<Command extends MoneyCommand, Facts, Row>(
  tx: Tx,
  work: MoneyWork<Command, Facts, Row>,
  kept: KeptCommand[],
): Promise<Map<string, Decision<Row>>> {
  const stored = kept.map((each) => ({ name: nameOf(each), answer: StoredAnswer.parse(each.answer) }));
  const ids = stored.flatMap(({ answer }) => ('made' in answer ? [answer.made] : []));
  const rows = ids.length > 0 && work.made ? await work.made.find(tx, ids) : [];
  const made = new Map(rows.map((row) => [work.made?.idOf(row), row]));
  return new Map(
    stored.flatMap(({ name, answer }) => {
      if (!('made' in answer)) return [[name, fromStored(answer) as Decision<Row>]];
      const row = made.get(answer.made);
      // Another verb's: its body is another, too, and that is what the caller is told.
      return row === undefined ? [] : [[name, { row }]];
    }),
  );
}

/** Writes what the fresh commands leave behind; gives the answers of those that there was no room to refuse. */
async function writeAll<Command extends MoneyCommand, Facts, Row>(
  tx: Tx,
  work: MoneyWork<Command, Facts, Row>,
  decided: { keyed: CommandKey; decision: Decision<Row> }[],
  { book, now }: Known<Facts>,
): Promise<{ overfull: Map<string, Refusal>; last: Statement[] }> {
  const rows: Row[] = [];
  const accepted: KeptCommand[] = [];
  const refused: (CommandKey & { refused: JsonValue })[] = [];
  for (const { keyed, decision } of decided) {
    const { scope, key, bodySha256 } = keyed;
    if ('refused' in decision) {
      refused.push({ scope, key, bodySha256, refused: toStored(decision.refused) });
    } else {
      rows.push(decision.row);
      const answer = work.made ? { made: work.made.idOf(decision.row) } : { row: toStored(decision.row) };
      accepted.push({ scope, key, bodySha256, answer });
    }
  }
  const statements = bookRows(book);
  if (accepted.length > 0)
    statements.push(insertCommands(accepted, now), ...(work.written?.(rows, now) ?? []));
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
  { db, givenTime }: VerbNeeds,
  work: MoneyWork<Command, Facts, Row>,
  keyed: Keyed<Command>[],
): Promise<Decision<Row>[]> {
  const first = new Map<string, Keyed<Command>>();
  for (const each of keyed) if (!first.has(each.name)) first.set(each.name, each);
  return readThenWrite(db, {
    read: (tx) => readAll(tx, work, [...first.values()], givenTime()),
    async write(tx, known) {
      const { facts, book, now, kept } = known;
      const bodies = new Map(kept.map((each) => [nameOf(each), each.bodySha256]));
      const answers = new Map<string, Decision<Row>>();
      const decided: { keyed: Keyed<Command>; decision: Decision<Row> }[] = [];
      for (const keyed of first.values()) {
        if (bodies.has(keyed.name)) continue;
        const decision = work.decide({ command: keyed.command, facts, book, now });
        decided.push({ keyed, decision });
        answers.set(keyed.name, decision);
      }
      const [written, earlier] = await Promise.all([
        decided.length > 0 ? writeAll(tx, work, decided, known) : null,
        kept.length > 0 ? answersOf(tx, work, kept) : [],
      ]);
      for (const [name, answer] of [...(written?.overfull ?? []), ...earlier]) answers.set(name, answer);
      const result = keyed.map(({ name, bodySha256 }) => {
        const body = bodies.get(name) ?? first.get(name)?.bodySha256;
        if (!body?.equals(bodySha256)) return keyReused;
        const answer = answers.get(name);
        if (!answer) throw new Error('a command was left without an answer');
        return answer;
      });
      return { result, last: written?.last ?? [] };
    },
  });
}

/** While one batch is written, the next is read and decided: the server and the database work at the same time. */
const inFlightMax = 2;

interface VerbNeeds {
  db: Db;
  /** A test's own time; null for the database's. */
  givenTime(): Date | null;
  batchSizeMax?: number | undefined;
}

const isKeyTaken = (error: Error & { constraint?: string }) => error.constraint === 'ledger_commands_pkey';
const keyTriesMax = 5;

/** Someone else has just used one of the keys: read again it is known, though by then another may have been used. */
async function againWhenKeyTaken<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === keyTriesMax || !isKeyTaken(error as Error)) throw error;
    }
  }
}

/** Makes a verb of a module's work: it executes at once what is asked for at once, and answers each caller. */
export function createMoneyVerb<Command extends MoneyCommand, Facts, Row>(
  { batchSizeMax, ...needs }: VerbNeeds,
  work: MoneyWork<Command, Facts, Row>,
): (command: Command) => Promise<Row> {
  const run = createBatch<Keyed<Command>, Decision<Row>>({
    execute: (keyed) => againWhenKeyTaken(() => execute(needs, work, keyed)),
    ...(batchSizeMax && { sizeMax: batchSizeMax }),
    inFlightMax,
    // Waiting for a lock again and again would keep everyone behind it waiting, too.
    afterFailure(error) {
      if (isDatabaseSlow(error as Error)) return 'give up';
      return isDatabaseAway(error as Error) ? 'together again' : 'one by one';
    },
  });
  return async (command) => {
    // Made once, before the first try: a batch whose commit was not heard of is tried again under the same keys.
    const key = command.idempotencyKey ?? randomUUID();
    const { scope } = command;
    const bodySha256 = hash('sha256', JSON.stringify(work.bodyOf(command)), 'buffer');
    const decision = await run({ command, scope, key, name: nameOf({ scope, key }), bodySha256 });
    if ('refused' in decision) throw errorOf(decision);
    return decision.row;
  };
}
