import { readFileSync } from 'node:fs';
import path from 'node:path';
import { variableNames } from '../../server/config/env.ts';

export const root = path.resolve(import.meta.dirname, '..', '..');
export const read = (...parts: string[]) => readFileSync(path.join(root, ...parts), 'utf8');

const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };

/** How `npm start` begins a server, without the folder that it keeps Node's work in: flags, then the file. */
export const startArguments = (): string => scripts.start.replace(/^.* node /, '');

/** In how many places the C library keeps memory for all threads: with its own number, eight for each processor, it never has enough. */
export const arenas = /MALLOC_ARENA_MAX=\d+/.exec(scripts.start)?.[0] ?? '';

/** Node's own, and the C library's. */
const others = ['NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX'];
/** Of these names, those that no server reads. */
export const unread = (names: readonly string[]) =>
  names.filter((name) => !variableNames.includes(name) && !others.includes(name));

export const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);
