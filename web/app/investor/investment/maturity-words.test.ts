import { expect, it } from 'vitest';
import { toldLine } from './maturity-words.ts';

const terms = { planid: '1', planname: 'Standard', amount: 2038, profit: 38.72, duration: 60, roi: 1.9 };
const at = '2026-06-02T09:41:00.000Z';

it.each([
  ['nothing, where the wallet is paid', { choice: 'wallet', told: null }, null],
  [
    'that a letter will tell',
    { choice: 'principal', told: null },
    'A letter tells you the terms three days before.',
  ],
  [
    'that no letter came, while there is time',
    { choice: 'principal', told: null, closesat: '2026-06-04T08:41:00.000Z' },
    'No letter told you the terms. Unless you choose again, it is paid to your wallet.',
  ],
  [
    'that no letter came, when it is too late',
    { choice: 'principal', told: null, closesat: at },
    'You were not told the terms in time: it is paid to your wallet.',
  ],
  [
    'what a letter told',
    { choice: 'everything', told: { at, by: 'letter', terms, reason: null } },
    '$2,038.00 in Standard for 60 days, $38.72 profit, told by letter.',
  ],
  [
    'why there were no terms to tell',
    { choice: 'everything', told: { at, by: 'letter', terms: null, reason: 'The plan is off.' } },
    'It will be paid to your wallet, told by letter. The plan is off.',
  ],
] as const)('beside a choice stands %s', (_what, maturity, words) => {
  const closesat = '2026-06-05T08:41:00.000Z';
  expect(toldLine({ closesat, ...maturity }, new Date(at))).toBe(words);
});
