import pg from 'pg';
import { type ColumnOf, rowsOf } from './binary.ts';

/** A COPY and its rows. */
export interface CopyStatement {
  text: string;
  rows: Buffer;
}

/** Ends the rows of a COPY. */
const copyDone = Buffer.from([0x63, 0, 0, 0, 4]);

/** A COPY whose rows travel together with it. Where it is refused before it begins, the database passes over them. */
class Copy extends pg.Query {
  constructor(text: string, rows: Buffer, done: (error?: Error) => void) {
    super(text, done);
    const head = Buffer.from([0x64, 0, 0, 0, 0]);
    head.writeInt32BE(4 + rows.length, 1);
    this.submit = (connection) => {
      connection.stream.cork();
      connection.query(text);
      for (const part of [head, rows, copyDone]) connection.stream.write(part);
      connection.stream.uncork();
    };
  }

  /** The database is ready for what has been sent already. */
  handleCopyInResponse(): void {}
}

export const copyOn = (client: pg.PoolClient, { text, rows }: CopyStatement) =>
  new Promise<void>((resolve, reject) => {
    client.query(new Copy(text, rows, (error) => (error ? reject(error) : resolve())));
  });

/**
 * Adds rows to a table, for those that nearly every movement adds: the database reads them faster than an INSERT could,
 * and checks them like one.
 */
export function copied<Row>(table: string, columns: Record<string, ColumnOf<Row>>) {
  const text = `copy ${table} (${Object.keys(columns).join(', ')}) from stdin (format binary)`;
  const writers = Object.values(columns);
  return (rows: readonly Row[]): CopyStatement => ({ text, rows: rowsOf(writers, rows) });
}
