import { readFileSync } from 'node:fs';

/** A template of this folder with its gaps filled; a gap that nobody fills, or a value that nobody wants, is a mistake. */
export function fill(name: string, values: Record<string, string | number | boolean>): string {
  const text = readFileSync(new URL(`templates/${name}`, import.meta.url), 'utf8');
  const unused = new Set(Object.keys(values));
  const filled = text.replace(/__([a-zA-Z]+)__/g, (_, gap: string) => {
    const value = values[gap];
    if (value === undefined) throw new Error(`${name} has a gap that nobody fills: ${gap}`);
    unused.delete(gap);
    return String(value);
  });
  if (unused.size > 0) throw new Error(`${name} has no gap for ${[...unused].join(', ')}`);
  return filled;
}
