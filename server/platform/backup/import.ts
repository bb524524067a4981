import { join } from 'node:path';
import pg from 'pg';
import { copyIn } from './copy-stream.ts';
import { fileOf } from './export.ts';
import { readParts } from './folder.ts';
import type { Manifest, Migration } from './manifest.ts';
import { Refusal } from './refusal.ts';
import { portable, readTables, weigh } from './tables.ts';

/** One that a server has been started on has a mark; an older one has people in it. */
export async function refuseUsed(owner: pg.Pool | pg.ClientBase): Promise<void> {
  const { rows: found } = await owner.query(
    "select to_regclass('public.installation') is not null as there, current_database() as name",
  );
  const { there, name } = found[0];
  if (!there) return;
  const { rows } = await owner.query(
    'select exists (select from public.installation) or exists (select from public.users) as used',
  );
  if (rows[0].used)
    throw new Refusal('notEmpty', `The database ${name} is in use already: name an empty one.`);
}

/** The rows fit the tables of one version; another reads and writes them otherwise. */
export function refuseOther({ migrations }: Manifest, known: readonly Migration[]): void {
  if (migrations.length === known.length) return;
  const last = migrations.at(-1)?.name;
  throw new Refusal(
    'otherVersion',
    `This was exported by an older version (${last}): import it with that version, and then start this one.`,
  );
}

/**
 * All rows in one transaction, into tables that the migrations have just made. What guards the tables against changes
 * guards them against this, too: the owner switches those triggers off and on again within the transaction, so that
 * nobody ever sees them off. Keys, checks and references hold all the while; that movements balance and chains are whole
 * is for the check of the books to say.
 */
export async function importDatabase(databaseUrl: string, folder: string, manifest: Manifest): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(portable);
    await client.query('begin');
    const tables = await readTables(client);
    refuseMisfit(manifest, tables);
    const names = tables.map(({ name }) => name);
    await client.query(`lock table ${names.join(', ')} in access exclusive mode`);
    // A server may have been started on it since it was looked at.
    await refuseUsed(client);
    for (const name of names) await client.query(`alter table ${name} disable trigger user`);
    // The first rows of some tables come with the migrations, and are among those that are brought.
    await client.query(`truncate ${names.join(', ')}`);
    for (const { name, columns } of tables) {
      const file = readParts(join(folder, fileOf(name)));
      await copyIn(client, `copy ${name} (${columns.join(', ')}) from stdin`, file);
    }
    await demandRows(client, manifest);
    for (const { name, lastValue, isCalled } of manifest.sequences ?? []) {
      await client.query('select setval($1, $2, $3)', [name, lastValue, isCalled]);
    }
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
    await client.query('commit');
    await client.query(`analyze ${names.join(', ')}`);
  } finally {
    await client.end().catch(() => {});
  }
}

function refuseMisfit({ tables = [] }: Manifest, ours: { name: string; columns: string[] }[]): void {
  const shape = (all: { name: string; columns: string[] }[]) =>
    all.map(({ name, columns }) => `${name} (${columns.toSorted().join(', ')})`).toSorted();
  const [there, here] = [shape(tables), shape(ours)];
  const odd = here.find((each) => !there.includes(each)) ?? there.find((each) => !here.includes(each));
  if (odd) throw new Refusal('otherVersion', `It does not fit the tables of this version: ${odd}.`);
}

async function demandRows(client: pg.Client, { tables = [] }: Manifest): Promise<void> {
  for (const { name, rows, sum } of tables) {
    const found = await weigh(client, name);
    if (found.rows !== rows || found.sum !== sum) {
      throw new Error(`${name} got ${found.rows} rows that are not the ${rows} that it had.`);
    }
  }
}
