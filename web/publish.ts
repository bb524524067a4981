import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Servers are started anew within it, and open tabs have asked for what they need. */
const keptMs = 7 * 24 * 60 * 60 * 1000;
/** Beside what is served: of which sources bootstrap has built it. It writes this anew when the whole build is done. */
const sourcesName = '.sources';
/** Which assets are of the build that is published; others are kept for those who still name them. */
const listName = '.assets-of-this-build';

interface Publishing {
  /** A finished build. */
  from: string;
  /** What a server may be serving. */
  to: string;
  now?: Date;
}

const filesIn = (dir: string): string[] =>
  existsSync(dir)
    ? readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    : [];

const isAsset = (name: string) => name.startsWith('assets/');

/**
 * Puts a build in place of the last one under a running server. That one's pages, which it has in memory, name hashed
 * assets: they stay for a week after the build that replaced them, and the new ones are there before the new pages.
 */
export function publish({ from, to, now = new Date() }: Publishing): void {
  rmSync(join(dirname(to), sourcesName), { force: true });
  const names = new Set(filesIn(from));
  const listFile = join(to, listName);
  const replaced = existsSync(listFile)
    ? readFileSync(listFile, 'utf8').split('\n')
    : filesIn(to).filter(isAsset);
  for (const name of [...names].sort((a, b) => Number(isAsset(b)) - Number(isAsset(a)))) {
    const target = join(to, name);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(from, name), `${target}.new`);
    renameSync(`${target}.new`, target);
  }
  for (const name of replaced) {
    if (!names.has(name) && existsSync(join(to, name))) utimesSync(join(to, name), now, now);
  }
  for (const name of filesIn(to)) {
    if (names.has(name) || name === listName) continue;
    const isKept = isAsset(name) && now.getTime() - statSync(join(to, name)).mtimeMs < keptMs;
    if (!isKept) rmSync(join(to, name));
  }
  writeFileSync(listFile, [...names].filter(isAsset).join('\n'));
  rmSync(from, { recursive: true });
}

if (import.meta.main) {
  const build = join(import.meta.dirname, 'build');
  publish({ from: join(build, 'next/client'), to: join(build, 'client') });
}
