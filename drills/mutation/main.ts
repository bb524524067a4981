/**
 * `npm run mutate`: changes the rules of money and the guards in every small way that Stryker knows, and runs their tests
 * on each: nine in ten of every group have to be noticed. `-- --only ledger` takes one group, or what has that in its
 * path; `--break tests` leaves the first file of tests of each group out, to show that it is seen. Exit code 0: enough were
 * noticed. 1: fewer. 78: a flag is not one.
 */
import { say } from '../ending.ts';
import { oneOf, readFlags, refuse } from '../flags.ts';
import { whyEqual } from './equal.ts';
import { type Group, groups } from './groups.ts';
import { installStryker, type Mutant, mutate } from './stryker.ts';

const { only, ...said } = readFlags({}, ['only', 'break']);
const breaks = oneOf('break', said.break, ['tests']);
const percentMin = 90;

function chosen(): [string, Group][] {
  const all = Object.entries(groups);
  if (only === undefined) return all;
  const byName = all.filter(([name]) => name === only);
  if (byName.length > 0) return byName;
  return all
    .map(([name, group]): [string, Group] => [
      name,
      { ...group, mutated: group.mutated.filter((part) => part.includes(only)) },
    ])
    .filter(([, { mutated }]) => mutated.length > 0);
}

const shortly = (text: string) => text.replace(/\s+/g, ' ').slice(0, 80);

/** Prints what nobody noticed, and whether the group has passed. */
function tell(name: string, mutants: Mutant[], minutes: number): boolean {
  const count = (...those: Mutant['status'][]) =>
    mutants.filter(({ status }) => those.includes(status)).length;
  const [killed, timedOut, survived] = [count('Killed'), count('Timeout'), count('Survived', 'NoCoverage')];
  let explained = 0;
  for (const mutant of mutants) {
    if (mutant.status !== 'Survived' && mutant.status !== 'NoCoverage') continue;
    const why = whyEqual(mutant);
    if (why) explained += 1;
    const what = `${mutant.file}:${mutant.line}  ${shortly(mutant.original)}  =>  ${shortly(mutant.replacement)}`;
    say(`${why ? 'equal   ' : 'SURVIVED'}  ${what}${why ? `\n            ${why}` : ''}`);
  }
  const all = killed + timedOut + survived;
  const percent = all === 0 ? 0 : (100 * (killed + timedOut)) / all;
  say(
    `${name}: mutants ${all}, killed ${killed}, timed out ${timedOut}, survived ${survived} (${explained} explained), ` +
      `${percent.toFixed(1)} %, ${minutes.toFixed(1)} minutes`,
  );
  return percent >= percentMin;
}

const parts = chosen();
if (parts.length === 0)
  refuse(`--only takes a group (${Object.keys(groups).join(', ')}) or a part of a path.`);
await installStryker();
const tooFew: string[] = [];
for (const [name, group] of parts) {
  const began = performance.now();
  const tests = breaks ? group.tests.slice(1) : group.tests;
  const mutants = await mutate({ ...group, tests });
  if (!tell(name, mutants, (performance.now() - began) / 60_000)) tooFew.push(name);
}
process.exitCode = tooFew.length > 0 ? 1 : 0;
say(
  tooFew.length > 0
    ? `below ${percentMin} %: ${tooFew.join(', ')}`
    : `${percentMin} % or more of every group`,
);
