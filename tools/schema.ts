import { execFileSync } from 'node:child_process';

/** Writes the database's types for the queries; with --verify it only says whether they are current. */
const args = [
  ['--dialect', 'postgres'],
  ['--include-pattern', 'public.*'],
  ['--type-mapping', JSON.stringify({ int8: 'bigint' })],
  ['--out-file', 'server/platform/postgres/schema.ts'],
].flat();

try {
  execFileSync('kysely-codegen', [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
} catch {
  process.exitCode = 1;
}
