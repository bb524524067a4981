import path from 'node:path';
import type { Finding } from './tidy.ts';

const siblingsMax = 15;
/** What somebody reads to find a place, journeys too; unit tests stand beside what they test, styles beside what they style. */
const source = /\.(ts|tsx|mjs|sql)$/;
const standsBeside = /\.(test\.tsx?|d\.ts)$/;

/** Counted apart, as they are listed: together, twenty folders would need a reason, and a rule with twenty exceptions is none. */
type Kind = 'files' | 'folders';

const followsSiteMap =
  'a folder for each page, named as in the site map, and what the pages of the area share';

/** Folders that may have more, of what, and why. */
const reasons: Record<Kind, Readonly<Record<string, string>>> = {
  files: {
    contract: 'a file for each word of the domain, imported by its name',
    'server/migrations': 'one ordered list, which only grows',
  },
  folders: {
    'web/app/public': followsSiteMap,
    'web/app/investor': followsSiteMap,
    'web/app/operator': followsSiteMap,
  },
};

/** A folder counts where something that counts is in it, however deep. */
export function findCrowdedFolders(files: Iterable<string>, allowed = reasons): Finding[] {
  const inside = { files: new Map<string, Set<string>>(), folders: new Map<string, Set<string>>() };
  const note = (kind: Kind, entry: string) => {
    const folder = path.posix.dirname(entry);
    const entries = inside[kind].get(folder) ?? new Set();
    inside[kind].set(folder, entries.add(entry));
  };
  for (const file of files) {
    if (!source.test(file) || standsBeside.test(file)) continue;
    note('files', file);
    for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) {
      note('folders', folder);
    }
  }
  return (['files', 'folders'] as const).flatMap((kind) =>
    [...inside[kind]]
      .filter(([folder, { size }]) => size > siblingsMax && !allowed[kind][folder])
      .map(([file, { size }]) => ({
        file,
        line: 1,
        message: `${size} ${kind}, more than ${siblingsMax}: give them rooms`,
      })),
  );
}
