import type { Mutant } from './stryker.ts';

type Equal = Pick<Mutant, 'original' | 'replacement'> & { why: string };

/** Changes after which everything is as before, so that no test can notice them, and why that is so. */
const equal: Record<string, Equal[]> = {
  'server/modules/ledger/rules.ts': [
    {
      original: 'random.used === random.bytes.length',
      replacement: 'true',
      why: 'bytes are drawn more often, and are as random',
    },
    { original: 'sum + amountCents', replacement: 'sum - amountCents', why: 'the negative of zero is zero' },
    { original: 'latest === wanted', replacement: 'false', why: 'a copy of the movement, with its own date' },
    {
      original: 'postings[n]?.amountCents',
      replacement: 'postings[n].amountCents',
      why: 'there are as many postings as accounts',
    },
  ],
  'contract/money.ts': [
    { original: "'0'", replacement: '""', why: 'what matched has dollars' },
    { original: 'cents < 0n', replacement: 'cents <= 0n', why: 'the negative of zero is zero' },
    {
      original: 'numerator % denominator < 0n',
      replacement: 'numerator % denominator <= 0n',
      why: 'what is one too low leaves a whole denominator as its rest, and is rounded up again',
    },
    {
      original: 'numerator % denominator',
      replacement: 'numerator * denominator',
      why: 'the denominator is positive: both have the sign of the numerator, or it is as above',
    },
  ],
  'server/modules/funding/rules.ts': [
    {
      original: 'usdPerCoin <= 0',
      replacement: 'usdPerCoin < 0',
      why: 'zero was found before: no price at all',
    },
  ],
  'server/modules/funding/naming.ts': [
    { original: '[]', replacement: '["Stryker was here"]', why: 'a text is no payment of any network' },
  ],
};

export function whyEqual(mutant: Mutant): string | undefined {
  return equal[mutant.file]?.find(
    ({ original, replacement }) => original === mutant.original && replacement === mutant.replacement,
  )?.why;
}
