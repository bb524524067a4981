import pg from 'pg';
import { copyOut } from './copy-stream.ts';
import { type Draft, makeFolders, type WrittenFile, writeNewFile } from './folder.ts';
import { type Manifest, readFacts } from './manifest.ts';
import { portable, readSequences, readTables, type Table, weigh } from './tables.ts';

/** Where the rows of a table are, as COPY writes them. */
export const fileOf = (table: string) => `tables/${table.replaceAll('"', '')}`;

/**
 * Every row of ours and of the job queue out of one snapshot, and how far every sequence has got. Needs the owner's login
 * and no program besides. The manifest has no order of tables but the one in which they can be written again.
 */
export async function exportDatabase(
  databaseUrl: string,
  draft: Draft,
): Promise<Omit<Manifest, 'format' | 'kind' | 'keptApart'>> {
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
  client.on('error', () => {});
  await client.connect();
  try {
    // Before the snapshot is taken: what was committed by then is in it.
    const { rows } = await client.query('select clock_timestamp() as at');
    await client.query('begin isolation level repeatable read read only');
    const { position, ...facts } = await readFacts(client);
    await client.query(portable);
    const folders = ['tables'];
    await makeFolders(draft, folders);
    const files: Manifest['files'] = [];
    const tables: NonNullable<Manifest['tables']> = [];
    for (const table of await readTables(client)) {
      const { name, columns } = table;
      files.push(await writeTable(client, table, draft));
      tables.push({ name, columns, ...(await weigh(client, name)) });
    }
    // A sequence is no part of a snapshot: read last, it is behind no row.
    const sequences = await sequenceStates(client);
    const ended = await client.query('select clock_timestamp() as at');
    return {
      ...facts,
      tables,
      sequences,
      files,
      folders,
      wal: { start: position, stop: position },
      asOf: rows[0].at.toISOString(),
      ended: ended.rows[0].at.toISOString(),
    };
  } finally {
    await client.end().catch(() => {});
  }
}

function writeTable(client: pg.Client, { name, columns, order }: Table, draft: Draft): Promise<WrittenFile> {
  const rows = copyOut(
    client,
    `copy (select ${columns.join(', ')} from ${name} order by ${order}) to stdout`,
  );
  return writeNewFile(draft, fileOf(name), rows);
}

async function sequenceStates(client: pg.ClientBase): Promise<NonNullable<Manifest['sequences']>> {
  const states = [];
  for (const name of await readSequences(client)) {
    const { rows } = await client.query(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${name}`,
    );
    states.push({ name, ...rows[0] });
  }
  return states;
}
