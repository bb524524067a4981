/** A server's version is the newest migration that it knows; what each has to say of older ones is decision 029. */

/** A migration that the database has had, and the oldest server that works on it since: null, only those that know it. */
export interface Applied {
  name: string;
  fitsFrom: number | null;
}

export const numberOf = (name: string) => Number(/^\d{4}(?=-)/.exec(name)?.[0] ?? Number.NaN);
export const numbered = (number: number) => String(number).padStart(4, '0');

const fitting = /^-- fits servers from (\d{4}) on$/;

/** What its first line says. One that says nothing, or not in these words, fits only those that know it. */
export function fitsFromOf(sql: string): number | null {
  const [first = ''] = sql.split('\n', 1);
  const said = fitting.exec(first)?.[1];
  return said === undefined ? null : Number(said);
}

export const fitLine = (from: number) => `-- fits servers from ${numbered(from)} on`;

interface Fit {
  /** What a newer version has done to the database and this server can work with. */
  newer: string[];
  /** What it cannot work with. */
  misfits: string[];
  /** Where a number is missing or there twice, in words; null where all is in order. */
  gap: string | null;
}

/** How a server that knows these migrations stands to a database that has had those. */
export function fitOf(known: readonly string[], applied: readonly Applied[]): Fit {
  const own = known.length === 0 ? 0 : Math.max(...known.map(numberOf));
  const unknown = applied.filter(({ name }) => !known.includes(name));
  // One of a number that this server has under another name is of another line of versions, whatever it says.
  const fits = ({ name, fitsFrom }: Applied) => numberOf(name) > own && fitsFrom !== null && fitsFrom <= own;
  return {
    newer: unknown.filter(fits).map(({ name }) => name),
    misfits: unknown.filter((each) => !fits(each)).map(({ name }) => name),
    gap:
      gapOf('this version', known) ??
      gapOf(
        'the database',
        applied.map(({ name }) => name),
      ),
  };
}

function gapOf(whose: string, names: readonly string[]): string | null {
  const sorted = names.toSorted();
  const odd = sorted.findIndex((name, at) => numberOf(name) !== at + 1);
  if (odd < 0) return null;
  const wanted = numbered(odd + 1);
  const before = sorted[odd - 1];
  return before && numberOf(before) === numberOf(sorted[odd] ?? '')
    ? `${whose} has ${before} and ${sorted[odd]}`
    : `${whose} has ${sorted[odd]} and no ${wanted}`;
}
