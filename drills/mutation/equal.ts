import type { Mutant } from './stryker.ts';

/** Changes after which everything is as before, so that no test can notice them, and why that is so. */
const equal: { file: string; original: string; replacement: string; why: string }[] = [
  {
    file: 'server/modules/funding/rules.ts',
    original: 'usdPerCoin <= 0',
    replacement: 'usdPerCoin < 0',
    why: 'zero was found before: no price at all',
  },
];

export function whyEqual(mutant: Mutant): string | undefined {
  return equal.find(
    ({ file, original, replacement }) =>
      file === mutant.file && original === mutant.original && replacement === mutant.replacement,
  )?.why;
}
