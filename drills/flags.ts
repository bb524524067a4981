import { parseArgs } from 'node:util';
import { exitCodes } from '../server/platform/start-refusal.ts';

/** As our servers say it: somebody has to write something else first. */
export function refuse(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(exitCodes.refused);
}

interface Bounds {
  usual: number;
  from: number;
  to?: number;
}

/** What is no number would be no bound, and a drill of nothing would end as if all held. */
function numberOf(name: string, said: string, { from, to }: Bounds): number {
  const value = Number(said);
  const isWhole = /^\d+$/.test(said) && Number.isSafeInteger(value);
  if (isWhole && value >= from && value <= (to ?? value)) return value;
  const range = to === undefined ? `from ${from} on` : `from ${from} to ${to}`;
  return refuse(`--${name} takes a whole number ${range}, not ${JSON.stringify(said)}.`);
}

function readWords(names: readonly string[]): Partial<Record<string, string>> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ options }).values as Partial<Record<string, string>>;
  } catch (error) {
    const [why = ''] = (error as Error).message.split(/\.?\n|\. /);
    return refuse(`${why}: it takes --${names.join(', --')}.`);
  }
}

type Flags<Count extends string, Word extends string> = Record<Count, number> & Partial<Record<Word, string>>;

/** The flags of a drill: those that are numbers, each within its bounds, and those that are words. */
export function readFlags<Count extends string, Word extends string>(
  numbers: Record<Count, Bounds>,
  words: readonly Word[],
): Flags<Count, Word> {
  const counts = Object.entries<Bounds>(numbers);
  const said = readWords([...counts.map(([name]) => name), ...words]);
  const read = counts.map(([name, bounds]) => {
    const value = said[name];
    return [name, value === undefined ? bounds.usual : numberOf(name, value, bounds)];
  });
  return { ...said, ...Object.fromEntries(read) } as Flags<Count, Word>;
}

/** Null where nothing was said. */
export function oneOf<Word extends string>(
  name: string,
  said: string | undefined,
  known: readonly Word[],
): Word | null {
  if (said === undefined) return null;
  const takes = known.length > 1 ? `one of ${known.join(', ')}` : `${known[0]} alone`;
  return (
    known.find((word) => word === said) ?? refuse(`--${name} takes ${takes}, not ${JSON.stringify(said)}.`)
  );
}
