import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { passwordLengthMin } from '@tallystick/contract/users';
import { dictionary } from '@zxcvbn-ts/language-common';
import { describe, expect, it } from 'vitest';
import { houseWords, passwordRefusal } from './rules.ts';

describe('a password that is being chosen', () => {
  it('may be none of the three thousand most used ones that are long enough, in whichever case', () => {
    const used = dictionary['passwords-common'].filter((word) => [...word].length >= passwordLengthMin);
    for (const word of used.slice(0, 3000)) expect(passwordRefusal(word.toUpperCase()), word).not.toBeNull();
  });

  it.each(['Tallystick2026!', 'my-Bitcoin-Wallet', 'investor.investor', 'Xrp$Xrp$Xrp1', 'bnb'.repeat(42)])(
    '%s is of words that would be tried here first',
    (password) => {
      expect(passwordRefusal(password)).toContain('tried here first');
    },
  );

  it.each(['tally sticks of hazel', '12345987650987', 'my wallet is brown'])('%s is not', (password) => {
    expect(passwordRefusal(password)).toBeNull();
  });

  it('is told in docs/security.md which words those are', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../docs/security.md'), 'utf8');
    for (const word of houseWords) expect(text).toContain(`\`${word}\``);
  });
});
