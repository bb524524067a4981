import { createHash, randomUUID } from 'node:crypto';
import { errorCodes } from '@tallystick/contract/errors';
import { z } from 'zod';
import { errorOf, type Refusal, refuse } from '../../platform/app-error.ts';
import {
  type Db,
  inTransaction,
  isDatabaseAway,
  isDatabaseSlow,
  type Tx,
} from '../../platform/postgres/db.ts';
import type { JsonValue } from '../../platform/postgres/schema.ts';
import { createBatch } from '../../platform/work/batch.ts';
import { type AccountRef, accountKey, Book } from './rules.ts';
import {
  answerCommands,
  type CommandKey,
  claimCommands,
  findCommands,
  insertEntries,
  insertMovements,
  lockAccounts,
  updateAccounts,
} from './store.ts';

/** A wish to move money, or to ask for it, that must have its effect at most once. */
export interface MoneyCommand {
  /** Whose keys these are, so that one person's key can never meet another's. */
  scope: string;
  /** Made by the client for each submit; null when it sent none. */
  idempotencyKey: string | null;
}

export type Decision<Row> = Refusal | { row: Row };

/**
 * How a module executes its commands, together, in one transaction. A row is what an accepted command leaves behind;
 * it is written by the module, kept with the command's key, and is the caller's answer, the first time and again.
 */
export interface MoneyWork<Command extends MoneyCommand, Facts, Row> {
  /** What makes two commands the same: everything that was asked for. */
  bodyOf(command: Command): JsonValue;
  /** Reads, and locks where they may change, the module's own rows for all commands at once. */
  read(tx: Tx, commands: Command[], now: Date): Promise<Facts>;
  /** Which accounts a command may touch. */
  accountsOf(command: Command, facts: Facts): AccountRef[];
  /** Pure: one command after the other, against facts and balances as the earlier ones left them. */
  decide(input: { command: Command; facts: Facts; book: Book; now: Date }): Decision<Row>;
  /** Writes the module's own rows for the accepted commands; the ledger's are written already. */
  write(tx: Tx, rows: Row[], now: Date): Promise<void>;
}

/** What is kept with a command's key: a decision, in JSON. */
const StoredAnswer = z.union([
  z.object({
    refused: z.object({
      code: z.enum(errorCodes),
      message: z.string(),
      retryAfterSeconds: z.number().optional(),
      by: z.string().nullish(),
    }),
  }),
  z.object({ row: z.json() }),
]);

interface Keyed<Command> extends CommandKey {
  command: Command;
}

/** Rows hold cents and dates, which JSON does not know. */
function toStored(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: String(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Array.isArray(value)) return value.map(toStored);
  const stored: Record<string, unknown> = {};
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

export async function writeBook(tx: Tx, book: Book): Promise<void> {
  if (book.entries.length === 0) return;
  await insertMovements(tx, book.movements);
  await insertEntries(tx, book.entries);
  await updateAccounts(tx, book.changedAccounts());
}

/** Locks what the commands may touch, once each. */
export async function openBook(tx: Tx, refs: AccountRef[]): Promise<Book> {
  const wanted = [...new Map(refs.map((ref) => [accountKey(ref), ref])).values()];
  return new Book(wanted.length > 0 ? await lockAccounts(tx, wanted) : []);
}

async function decideFresh<Command extends MoneyCommand, Facts, Row>(
  tx: Tx,
  work: MoneyWork<Command, Facts, Row>,
  fresh: Keyed<Command>[],
  now: Date,
): Promise<Map<string, Decision<Row>>> {
  const commands = fresh.map(({ command }) => command);
  const facts = await work.read(tx, commands, now);
  const book = await openBook(
    tx,
    commands.flatMap((command) => work.accountsOf(command, facts)),
  );
  const decided = fresh.map(({ command, scope, key }) => {
    const decision = work.decide({ command, facts, book, now });
    return { scope, key, decision, answer: toStored(decision) };
  });
  await writeBook(tx, book);
  const rows = decided.flatMap(({ decision }) => ('row' in decision ? [decision.row] : []));
  await work.write(tx, rows, now);
  await answerCommands(tx, decided);
  return new Map(decided.map((each) => [nameOf(each), each.decision]));
}

/**
 * Reads the set, decides in memory, writes the set, commits. A key that was seen before gets its first answer again,
 * refusals included; the same key with another body is told so.
 */
async function execute<Command extends MoneyCommand, Facts, Row>(
  tx: Tx,
  work: MoneyWork<Command, Facts, Row>,
  keyed: Keyed<Command>[],
  now: Date,
): Promise<Decision<Row>[]> {
  const unique = [...new Map(keyed.toReversed().map((each) => [nameOf(each), each])).values()];
  const claimed = new Set((await claimCommands(tx, unique, now)).map(nameOf));
  const fresh = unique.filter((each) => claimed.has(nameOf(each))).toReversed();
  const seen = unique.filter((each) => !claimed.has(nameOf(each)));
  const answers =
    fresh.length > 0 ? await decideFresh(tx, work, fresh, now) : new Map<string, Decision<Row>>();
  const bodies = new Map(fresh.map((each) => [nameOf(each), each.bodySha256]));
  for (const earlier of seen.length > 0 ? await findCommands(tx, seen) : []) {
    answers.set(nameOf(earlier), fromStored(StoredAnswer.parse(earlier.answer)) as Decision<Row>);
    bodies.set(nameOf(earlier), earlier.bodySha256);
  }
  return keyed.map((each) => {
    const answer = answers.get(nameOf(each));
    if (!answer) throw new Error('a command was left without an answer');
    return bodies.get(nameOf(each))?.equals(each.bodySha256) ? answer : keyReused;
  });
}

/** Makes a verb of a module's work: it executes at once what is asked for at once, and answers each caller. */
export function createMoneyVerb<Command extends MoneyCommand, Facts, Row>(
  {
    db,
    timeOf,
    batchSizeMax,
  }: { db: Db; timeOf: (tx: Tx) => Promise<Date>; batchSizeMax?: number | undefined },
  work: MoneyWork<Command, Facts, Row>,
): (command: Command) => Promise<Row> {
  const run = createBatch<Keyed<Command>, Decision<Row>>({
    execute: (keyed) => inTransaction(db, async (tx) => execute(tx, work, keyed, await timeOf(tx))),
    ...(batchSizeMax && { sizeMax: batchSizeMax }),
    // Waiting for a lock again and again would keep everyone behind it waiting, too.
    afterFailure(error) {
      if (isDatabaseSlow(error as Error)) return 'give up';
      return isDatabaseAway(error as Error) ? 'together again' : 'one by one';
    },
  });
  return async (command) => {
    const decision = await run({
      command,
      scope: command.scope,
      // Made once, before the first try: a batch whose commit was not heard of is tried again under the same keys.
      key: command.idempotencyKey ?? randomUUID(),
      bodySha256: createHash('sha256')
        .update(JSON.stringify(work.bodyOf(command)))
        .digest(),
    });
    if ('refused' in decision) throw errorOf(decision);
    return decision.row;
  };
}
