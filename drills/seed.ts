/** What looks like chance and is the same again with the same seed: mulberry32. */
export interface Chance {
  /** From 0 up to 1, and never 1. */
  next(): number;
  below(count: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

export function chanceOf(seed: number, ...place: number[]): Chance {
  let state = [seed, ...place].reduce((mixed, part) => Math.imul(mixed ^ part, 0x9e37_79b1) + 0x85eb_ca6b, 0);
  const next = () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return { next, below, pick: (choices) => choices[below(choices.length)] ?? choices[0] };
}

/** One that nobody has named. */
export const newSeed = () => Math.floor(Math.random() * 1_000_000);
