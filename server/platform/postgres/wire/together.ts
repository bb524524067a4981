import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { CopyStatement } from './copy.ts';

/** All that the database needs: from here on, whether it succeeds is the database's to say. */
export type Statement = { name: string; text: string; values: (Buffer | Date | null)[] } | CopyStatement;

/** How the driver speaks to the database; its types leave some of it out. */
interface Wire {
  stream: Duplex;
  /** The texts of what is prepared, by name. */
  parsedStatements: Record<string, string>;
  close(statement: { type: 'S'; name: string }): void;
  parse(statement: { name: string; text: string }): void;
  bind(values: { statement: string; values: (Buffer | string | null)[] }): void;
  execute(): void;
  sync(): void;
}

/** The texts of all statements that have a name: the database would execute the other one. */
const texts = new Map<string, string>();

export function nameStatement(name: string, text: string): void {
  if (texts.getOrInsert(name, text) !== text) throw new Error(`two statements have the name ${name}`);
}

/** Ends the rows of a COPY. */
const rowsEnd = Buffer.from([0x63, 0, 0, 0, 4]);

function sendRows({ stream }: Wire, rows: Buffer): void {
  const head = Buffer.from([0x64, 0, 0, 0, 0]);
  head.writeInt32BE(4 + rows.length, 1);
  for (const part of [head, rows, rowsEnd]) stream.write(part);
}

interface Message {
  /** Empty for what is prepared anew each time. */
  name: string;
  text: string;
  values: (Buffer | string | null)[];
  rows: Buffer | null;
}

function messageOf(statement: Statement, shared: boolean): Message {
  const { text } = statement;
  nameStatement(statement.name, text);
  const name = shared ? '' : statement.name;
  if ('rows' in statement) return { name, text, values: [], rows: statement.rows };
  const values = statement.values.map((value) => (value instanceof Date ? value.toISOString() : value));
  return { name, text, values, rows: null };
}

function sendOne(wire: Wire, { name, text, values, rows }: Message): void {
  if (name === '' || wire.parsedStatements[name] === undefined) {
    // Where it was sent with others that failed, nobody knows whether it was prepared.
    if (name) wire.close({ type: 'S', name });
    wire.parse({ name, text });
  }
  wire.bind({ statement: name, values });
  wire.execute();
  if (rows) sendRows(wire, rows);
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
  query_timeout: number | undefined;
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
  /** A pooler stands between: what is prepared on one of its connections is not known on the next. */
  shared?: boolean;
  msMax?: number;
}

/**
 * Sends statements in one piece, which are answered in one. When one fails, the database says so and passes over all that is
 * behind it, rows included. Throws, and has sent nothing, when one cannot be sent: no commit may follow then.
 */
export function together(
  client: pg.PoolClient,
  statements: readonly Statement[],
  { shared = false, msMax }: How = {},
): Promise<void> {
  if (statements.length === 0) return Promise.resolve();
  const messages = statements.map((statement) => messageOf(statement, shared));
  const wire = client.connection as unknown as Wire;
  return new Promise((resolve, reject) => {
    const asked = new Together(statements, (error) => {
      if (error) return reject(error);
      for (const { name, text } of messages) if (name) wire.parsedStatements[name] = text;
      resolve();
    });
    asked.query_timeout = msMax;
    asked.submit = () =>
      inOnePiece(client, () => {
        for (const message of messages) sendOne(wire, message);
        wire.sync();
      });
    client.query(asked);
  });
}
