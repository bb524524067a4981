import type { Refusal } from '../../../platform/app-error.ts';
import type { Db, Statement, Tx } from '../../../platform/postgres/db.ts';
import type { JsonValue } from '../../../platform/postgres/schema.ts';
import type { CommandKey } from '../command-store.ts';
import type { AccountRef, Book } from '../rules.ts';
import type { BorneKey, Key } from './key-rules.ts';
import type { Remembered } from './remembered.ts';

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
  /** A test's own time; null for the database's. */
  givenTime: Date | null;
  /** Locks the accounts that may be touched, after everything else that is locked. */
  openBook(accounts: AccountRef[]): Promise<Book>;
}

/**
 * How a module executes its commands, together, in one transaction. A row is what an accepted command leaves behind;
 * it is written by the module, and is the caller's answer, the first time and again: what its key says leads to it.
 */
export interface MoneyWork<Command extends MoneyCommand, Facts, Row> {
  /** What makes two commands the same: everything that was asked for. */
  bodyOf(command: Command): JsonValue;
  /** Reads, and locks where they may change, the module's own rows for all commands at once, and opens the book. */
  read(tx: Tx, commands: Command[], opening: Opening): Promise<{ facts: Facts; book: Book }>;
  /**
   * Pure: one command after the other, against facts and balances as the earlier ones left them. `borne` is for
   * the movement, where the work says below that what is made bears its key.
   */
  decide(input: { command: Command; facts: Facts; book: Book; now: Date; borne: BorneKey }): Decision<Row>;
  /** Writes the module's own rows for the accepted commands; the ledger's are on their way already. */
  write?(tx: Tx, rows: Row[], now: Date): Promise<void>;
  /** Where no answer is needed, its rows travel with the ledger's, and all of them with the commit. */
  written?(rows: Row[], now: Date): Statement[];
  /**
   * Where one movement is always made, and what is answered never changes: the movement bears the key, and the answer is made
   * again of what that is about.
   */
  made?: { find(tx: Tx, by: MadeIds): Promise<(Row & MadeRow)[]> };
  /** Where this server mostly knows what it would read: decided on that, a batch is one trip to the database. */
  byHeart?: {
    accountsOf(command: Command): AccountRef[];
    /** Null when something of it is not known. */
    factsFor(commands: Command[]): Facts | null;
    /** Ends the transaction when the facts do not hold (any more), and makes them hold until its end. */
    demand(facts: Facts): Statement[];
  };
}

/** What is looked for: by the transaction ids that movements bear or refer to, and what is older than that by its own id. */
interface MadeIds {
  transactionids: string[];
  ids: string[];
}

interface MadeRow {
  id: string;
  transactionid: string;
}

export interface Keyed<Command> extends CommandKey, BorneKey {
  command: Command;
  /** Of scope and key together. */
  name: string;
}

export const nameOf = ({ scope, key }: Key) => `${scope}\n${key}`;

export interface VerbNeeds {
  db: Db;
  /** A test's own time; null for the database's. */
  givenTime(): Date | null;
  remembered: Remembered;
}
