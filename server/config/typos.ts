import { variableNames } from './env.ts';

/** Shorter names are one letter away from what belongs to others: MODE from NODE. */
const lengthMin = 6;

/** Whether one letter more, less, or another, or two that have changed places, makes one of the other. */
function isOneSlipAway(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one === other) return false;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  return (
    a.slice(1) === b ||
    a === b.slice(1) ||
    a.slice(1) === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  );
}

/**
 * Variables that are set, are not ours, and look as if they were meant to be. Said and not refused: the environment is
 * shared with everything else on the machine.
 */
export function likelyTypos(variables: NodeJS.ProcessEnv): { name: string; meant: string }[] {
  const strange = Object.keys(variables).filter((name) => variables[name] && !variableNames.includes(name));
  return strange.flatMap((name) => {
    const typed = name.toUpperCase();
    const isMeant = (known: string) =>
      known.length >= lengthMin && (known === typed || isOneSlipAway(typed, known));
    const meant = variableNames.find(isMeant);
    return meant ? [{ name, meant }] : [];
  });
}
