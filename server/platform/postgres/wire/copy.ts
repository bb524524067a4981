import { type ColumnOf, rowsOf } from './binary.ts';
import { nameStatement, type Statement } from './together.ts';

/**
 * Adds rows to a table, for those that nearly every movement adds: the database reads them faster than an INSERT could,
 * and checks them like one.
 */
export function copied<Row>(table: string, columns: Record<string, ColumnOf<Row>>) {
  const text = `copy ${table} (${Object.keys(columns).join(', ')}) from stdin (format binary)`;
  const name = `copy ${table}`;
  nameStatement(name, text);
  const writers = Object.values(columns);
  return (rows: readonly Row[]): Statement => ({ name, text, rows: rowsOf(writers, rows) });
}
