import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** As a demo writes its log: a line, and below it, further in, what happened and where. */
const errors = /^\d\d:\d\d:\d\d error .*(\n {2}.*){0,3}/gm;

export const errorsIn = (file: string): string[] =>
  stripVTControlCharacters(readFileSync(file, 'utf8')).match(errors) ?? [];

/** Each of them once. */
export function takeErrorsOf(file: string): () => string[] {
  let taken = 0;
  return () => {
    const fresh = errorsIn(file).slice(taken);
    taken += fresh.length;
    return fresh;
  };
}
