import { sql } from 'kysely';
import type { Tx } from '../postgres/db.ts';

/** What the public log tells; `docs/trust.md` says what each kind has in it. */
export type LogKind =
  | 'plan/v1'
  | 'plan/v2'
  | 'method/v1'
  | 'key/v1'
  | 'address/v1'
  | 'correction/v1'
  | 'freeze/v1'
  | 'audit/v1'
  | 'books/v1';

/** The lines of an entry after its first, which is its kind: a name, and the rest of the line. */
export type LogLine = readonly [name: string, value: string];

/** Its length stands before it in two bytes. */
export const entryBytesMax = 65_535;

/** In whole seconds: the log's own order says what came before what. */
export const logTime = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;

/** One spelling for one fact, so that whoever recomputes it gets the same bytes. */
function entryText(kind: LogKind, lines: readonly LogLine[]): string {
  const all = lines.map(([name, value]) => {
    if (!/^[a-z][a-z0-9-]*$/.test(name) || /[\n\r]/.test(value) || value === '') {
      throw new Error(`a line of the log is not one: ${JSON.stringify([name, value])}`);
    }
    return `${name} ${value.normalize('NFC')}`;
  });
  const text = [kind, ...all, ''].join('\n');
  const bytes = Buffer.byteLength(text);
  if (bytes > entryBytesMax) {
    throw new Error(
      `an entry ${kind} of the log would have ${bytes} bytes, and at most ${entryBytesMax} fit`,
    );
  }
  return text;
}

/**
 * Tells the public log, in the transaction of what is told: neither is there without the other. Every module does, so it
 * is no module's own. Gives the entry's id; its place in the log comes later.
 */
export async function writeLogEntry(
  tx: Tx,
  kind: LogKind,
  lines: readonly LogLine[],
  now: Date,
): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    insert into log_entries (kind, entry, written_at) values (${kind}, ${entryText(kind, lines)}, ${now})
    returning id`.execute(tx);
  if (!rows[0]) throw new Error('an entry of the log was not written');
  return rows[0].id;
}
