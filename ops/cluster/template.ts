import { readFileSync } from 'node:fs';

/**
 * A template of this folder with its gaps filled; a gap that nobody fills, or a value that nobody wants, is a mistake. A comment
 * that is nothing but a gap is a place for lines, or for none.
 */
export function fill(name: string, values: Record<string, string | number | boolean>): string {
  const text = readFileSync(new URL(`templates/${name}`, import.meta.url), 'utf8');
  const unused = new Set(Object.keys(values));
  const valueFor = (gap: string) => {
    const value = values[gap];
    if (value === undefined) throw new Error(`${name} has a gap that nobody fills: ${gap}`);
    unused.delete(gap);
    return String(value);
  };
  const filled = text
    .replace(/^ *# __([a-zA-Z]+)__\n/gm, (_, gap: string) =>
      valueFor(gap) === '' ? '' : `${valueFor(gap)}\n`,
    )
    .replace(/__([a-zA-Z]+)__/g, (_, gap: string) => valueFor(gap));
  if (unused.size > 0) throw new Error(`${name} has no gap for ${[...unused].join(', ')}`);
  return filled;
}
