import path from 'node:path';
import { isTest } from './arrows.ts';
import type { Finding } from './tidy.ts';

const siblingsMax = 15;
/** What somebody reads to find a place; tests stand beside what they test, and styles beside what they style. */
const source = /\.(ts|tsx|mjs|sql)$/;

/** Folders that may be larger, and why. */
const reasons: Record<string, string> = {
  contract: 'a file for each word of the domain, imported by its name',
  'server/migrations': 'one ordered list, which only grows',
};

export function findCrowdedFolders(
  files: Iterable<string>,
  allowed: Readonly<Record<string, string>> = reasons,
): Finding[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    if (!source.test(file) || file.endsWith('.d.ts') || isTest(file)) continue;
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > siblingsMax && !allowed[folder])
    .map(([file, count]) => ({
      file,
      line: 1,
      message: `${count} files, more than ${siblingsMax}: give them rooms`,
    }));
}
