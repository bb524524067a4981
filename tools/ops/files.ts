import { readFileSync } from 'node:fs';
import path from 'node:path';
import { variableNames } from '../../server/config/env.ts';

export const root = path.resolve(import.meta.dirname, '..', '..');
export const read = (...parts: string[]) => readFileSync(path.join(root, ...parts), 'utf8');

/** How `npm start` begins a server, without the folder that it keeps Node's work in: flags, then the file. */
export function startArguments(): string {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
  return scripts.start.replace(/^.* node /, '');
}

/** Node's own. */
const others = ['NODE_COMPILE_CACHE'];
/** Of these names, those that no server reads. */
export const unread = (names: readonly string[]) =>
  names.filter((name) => !variableNames.includes(name) && !others.includes(name));

export const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);
