import type { Tally } from './under-load.ts';

export const say = (line: string) => void process.stdout.write(`${line}\n`);

const shown = 40;

export function sayFindings(findings: readonly string[]): void {
  for (const finding of findings.slice(0, shown)) say(`WRONG  ${finding}`);
  if (findings.length > shown) say(`WRONG  and ${findings.length - shown} more`);
}

/** How often each status was heard; 0 is no answer at all. */
export const wordsOfAnswers = (answers: ReadonlyMap<number, number>) =>
  [...answers]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${status || 'none'} ${count}x`)
    .join(', ');

/** What was found and heard, whatever was done to the site: `cause` is one of those. */
export function sayWhatWasHeard({ findings, answers, slowestMs, repeated }: Tally, cause: string): void {
  sayFindings(findings);
  say(`answers: ${wordsOfAnswers(answers)}`);
  say(`slowest answer ${(slowestMs / 1000).toFixed(1)} s, letters sent twice after a ${cause} ${repeated}`);
}

export const minutesSince = (began: number) => `${((performance.now() - began) / 60_000).toFixed(1)} minutes`;

interface Course {
  /** Of what, and how many of them were asked for. */
  what: string;
  asked: number;
  done: number;
  seed: number;
  from: number;
  /** What the last line ends with. */
  besides?: string;
}

/** The last line, and the exit code: 0 all holds, 1 something is wrong, 2 fewer than were asked for. */
export function sayTheEnd({ lost, doubled, acknowledged, findings }: Tally, course: Course): number {
  const { what, asked, done, seed, from, besides = '' } = course;
  if (done < asked) say(`ended after ${done} ${what}; go on with --seed ${seed} --from ${from + done}`);
  say(`${what} ${done}, acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}${besides}`);
  if (lost > 0 || doubled > 0 || findings.length > 0) return 1;
  return done < asked ? 2 : 0;
}

export const percentile = (values: readonly number[], of: number) =>
  values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.ceil(values.length * of) - 1)
  ] ?? 0;
