import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { emptying } from '../../server/platform/postgres/installation.ts';
import { hashOf, readHashes } from '../migration/names.ts';

const folder = path.resolve(import.meta.dirname, '..', '..', 'server', 'migrations');
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

/**
 * Whoever writes a migration saves it more than once, and the first saving was applied. When one that has not landed
 * has changed or is gone since, the database is emptied, and the server that starts fills it with sample data again.
 */
export async function beginAnew(databaseUrl: string): Promise<string[]> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    const { rows: found } = await owner.query("select to_regclass('migrations') is not null as there");
    if (!found[0]?.there) return [];
    const { rows } = await owner.query<{ name: string; sha256: string }>(
      'select name, sha256 from migrations order by name',
    );
    const landed = readHashes(read('SHA256SUMS'));
    const files = new Set(readdirSync(folder));
    const edited = rows.filter(
      ({ name, sha256 }) => !landed.has(name) && !(files.has(name) && hashOf(read(name)) === sha256),
    );
    if (edited.length > 0) await owner.query(emptying);
    return edited.map(({ name }) => name);
  } finally {
    await owner.end();
  }
}
