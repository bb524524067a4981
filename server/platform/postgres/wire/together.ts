import type { Duplex } from 'node:stream';
import pg from 'pg';

interface Named {
  name: string;
  text: string;
}

/** All that the database needs: from here on, whether it succeeds is the database's to say. */
export type Statement = Named & ({ values: (Buffer | Date | null)[] } | { /** Of a COPY. */ rows: Buffer });

/** How the driver speaks to the database; its types leave some of it out. */
interface Wire {
  stream: Duplex;
  /** The texts of what is prepared, by name. */
  parsedStatements: Record<string, string>;
  close(statement: { type: 'S'; name: string }): void;
  parse(statement: Named): void;
  bind(values: { statement: string; values: (Buffer | string | null)[] }): void;
  execute(): void;
  sync(): void;
}

const texts = new Map<string, { text: string; planned: string }>();

/**
 * A statement that is kept prepared is planned once for all values only where no plan made for its values looks cheaper. Of an
 * array the database knows how many it has, so for a few it would plan anew each time, which takes as long as to carry it out:
 * what is selected it does not look into. Behind a pooler, where nothing is kept, that gains nothing.
 */
const plannedOnce = (text: string) => text.replace(/\$\d+::(\w+\[\])/g, '(select $&)::$1');

/**
 * As it is sent, so that it is planned once. Names are for good: what is prepared under one would be executed in the place of its
 * namesake.
 */
export function nameStatement(name: string, text: string): string {
  const named = texts.getOrInsertComputed(name, () => ({ text, planned: plannedOnce(text) }));
  if (named.text !== text) throw new Error(`two statements have the name ${name}`);
  return named.planned;
}

interface Message extends Named {
  values: (Buffer | string | null)[];
  /** The rows of a COPY, between what begins and what ends them. */
  rows: Buffer[];
}

const rowsEnd = Buffer.from([0x63, 0, 0, 0, 4]);

function rowsOf(rows: Buffer): Buffer[] {
  const head = Buffer.from([0x64, 0, 0, 0, 0]);
  head.writeInt32BE(4 + rows.length, 1);
  return [head, rows, rowsEnd];
}

function sendable(value: Buffer | Date | null): Buffer | string | null {
  if (value instanceof Date) return value.toISOString();
  if (value !== null && !Buffer.isBuffer(value)) throw new TypeError('a value was not made for the database');
  return value;
}

/** Whatever can be wrong with a statement is found here, before anything is sent. */
function messageOf(statement: Statement, keepsPrepared: boolean): Message {
  const text = nameStatement(statement.name, statement.text);
  const name = keepsPrepared ? statement.name : '';
  if ('rows' in statement) return { name, text, values: [], rows: rowsOf(statement.rows) };
  return { name, text, values: statement.values.map(sendable), rows: [] };
}

/** Whether it had to be prepared. */
function sendOne(wire: Wire, { name, text, values, rows }: Message): boolean {
  const isKnown = name !== '' && wire.parsedStatements[name] !== undefined;
  if (!isKnown) {
    // Where it was sent with others that failed, nobody knows whether it was prepared.
    if (name) wire.close({ type: 'S', name });
    wire.parse({ name, text });
  }
  wire.bind({ statement: name, values });
  wire.execute();
  for (const part of rows) wire.stream.write(part);
  return !isKnown;
}

/** Sends what is sent meanwhile at once: each piece would wake the database up for itself. */
export function inOnePiece<T>({ connection: { stream } }: pg.PoolClient, send: () => T): T {
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

class Together extends pg.Query {
  answerMsMax: number | undefined;
  /** For tests, which watch what is sent. */
  readonly statements: readonly Statement[];

  constructor(statements: readonly Statement[], done: (error?: Error) => void) {
    super('', done);
    this.statements = statements;
  }

  /** Of demands: that they are met is all there is to know. */
  handleDataRow(): void {}

  handleCommandComplete(): void {}

  /** The database is ready for what has been sent already. */
  handleCopyInResponse(): void {}
}

interface How {
  /** False where the next transaction may be on another connection, or ask for something else. */
  keepsPrepared?: boolean;
  msMax?: number;
}

/**
 * Sends statements in one piece, which are answered in one. When one fails, the database says so and passes over all that is
 * behind it, rows included. Throws, and has sent nothing, when one cannot be sent: no commit may follow then.
 */
export function together(
  client: pg.PoolClient,
  statements: readonly Statement[],
  { keepsPrepared = true, msMax }: How = {},
): Promise<void> {
  if (statements.length === 0) return Promise.resolve();
  const messages = statements.map((statement) => messageOf(statement, keepsPrepared));
  const wire = client.connection as unknown as Wire;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let prepared: Message[] = [];
  const asked = new Together(statements, (error) => {
    for (const { name, text } of prepared) {
      if (!error && name) wire.parsedStatements[name] = text;
      else delete wire.parsedStatements[name];
    }
    if (error) reject(error);
    else resolve();
  });
  asked.answerMsMax = msMax;
  // Has a name first. Written where it is assigned, V8 would take it for a method that stays for good, and whatever it can
  // reach, here all the rows, would stay until the next full collection.
  const submit = () =>
    inOnePiece(client, () => {
      prepared = messages.filter((message) => sendOne(wire, message));
      wire.sync();
    });
  asked.submit = submit;
  client.query(asked);
  return promise;
}
