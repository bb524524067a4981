/**
 * `npm run schema`: migrates a database that is thrown away afterwards and writes its types for the queries. With
 * `--verify` it only says whether they are current; `--url` names a database that is migrated already.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { startThrowAwayDatabase } from '../server/testing/throw-away-database.ts';

const root = path.resolve(import.meta.dirname, '..');
const asked = process.argv.slice(2);
const database = asked.includes('--url') ? null : await startThrowAwayDatabase();
const args = [
  ['--dialect', 'postgres'],
  ['--include-pattern', 'public.*'],
  ['--type-mapping', JSON.stringify({ int8: 'bigint' })],
  ['--out-file', 'server/platform/postgres/schema.ts'],
  database ? ['--url', database.url] : [],
].flat();

try {
  const program = path.join(root, 'node_modules', '.bin', 'kysely-codegen');
  execFileSync(program, [...args, ...asked], { cwd: root, stdio: 'inherit' });
} catch {
  process.exitCode = 1;
} finally {
  await database?.stop();
}
