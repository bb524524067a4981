import { createHash } from 'node:crypto';
import { isBegun } from '../../server/platform/postgres/migrate.ts';
import { fitLine, fitsFromOf, numberOf } from '../../server/platform/postgres/versions/fit.ts';

export const hashOf = (sql: string) => createHash('sha256').update(sql).digest('hex');

/** What `sha256sum` writes and checks, too: a hash and a name on each line. */
export function readHashes(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

/** The hashes with those of the migrations that had none and are more than begun. A noted one stays, whatever its file says now. */
export function landed(text: string, files: ReadonlyMap<string, string>): string {
  const hashes = readHashes(text);
  for (const [name, sql] of files) if (!hashes.has(name) && !isBegun(sql)) hashes.set(name, hashOf(sql));
  return [...hashes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hash]) => `${hash}  ${name}\n`)
    .join('');
}

/** The next number, and the words as a name. */
export function nextName(names: readonly string[], words: string): string {
  const slug = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (slug === '' || words.startsWith('-')) throw new Error('npm run migration -- "words of the change"');
  const last = Math.max(0, ...names.map((name) => Number.parseInt(name, 10)));
  return `${String(last + 1).padStart(4, '0')}-${slug}.sql`;
}

/** The last that says nothing of older servers; those that know no more than it refuse whatever is newer in silence. */
const lastSilent = 23;

/**
 * As a migration begins: which servers fit it, and what it is for. They are those that fit the one before: all migrations of
 * a release say the same, and whoever writes the first after a release puts that one's number there.
 */
export const begunAs = (words: string, sqlBefore: string) =>
  `${fitLine(fitsFromOf(sqlBefore) ?? lastSilent)}\n-- ${words.replace(/\.?$/, '.')}\n`;

/** Why a migration does not say, or cannot mean, down to which version servers fit it (decision 029). */
export function fitFaults(files: ReadonlyMap<string, string>): string[] {
  const names = [...files.keys()].sort();
  return names.flatMap((name, at) => {
    const number = numberOf(name);
    if (number <= lastSilent) return [];
    const from = fitsFromOf(files.get(name) ?? '');
    const before = fitsFromOf(files.get(names[at - 1] ?? '') ?? '') ?? lastSilent;
    if (from === null) return [`${name} does not begin with a line such as: ${fitLine(before)}`];
    if (from >= number) return [`${name} fits no older server: one version back is the least`];
    if (from < lastSilent)
      return [`${name} fits servers that do not know that they could: ${fitLine(lastSilent)}`];
    return from < before ? [`${name} reaches further back than the one before it: ${fitLine(before)}`] : [];
  });
}

/** Why the migrations are not those that have landed. */
export function migrationFaults(text: string, files: ReadonlyMap<string, string>): string[] {
  const hashes = readHashes(text);
  const changed = [...hashes].flatMap(([name, hash]) => {
    const sql = files.get(name);
    if (sql === undefined) return [`${name} has landed and is gone`];
    return hashOf(sql) === hash ? [] : [`${name} has landed and was changed: make a new one`];
  });
  const fresh = [...files].filter(([name]) => !hashes.has(name));
  const todo = (sql: string) => (isBegun(sql) ? 'holds no SQL' : 'has no hash: npm run migration -- --land');
  return [...changed, ...fresh.map(([name, sql]) => `${name} ${todo(sql)}`)];
}
