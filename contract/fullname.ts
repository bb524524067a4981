import { z } from 'zod';

/** Scripts in which a joiner shapes the letters around it; anywhere else nobody sees it. */
const joiner =
  /([\p{scx=Arab}\p{scx=Beng}\p{scx=Deva}\p{scx=Gujr}\p{scx=Guru}\p{scx=Khmr}\p{scx=Knda}\p{scx=Mlym}\p{scx=Mong}\p{scx=Mymr}\p{scx=Orya}\p{scx=Sinh}\p{scx=Syrc}\p{scx=Taml}\p{scx=Telu}\p{scx=Tibt}])[\u200c\u200d]/gu;
/** Letters and marks of any script, and the signs that stand in names: O’Brien, María-José, Jr., Gal·la, ג׳ורג׳. */
const shape = /^[\p{L}\p{M} '‘’.,·・׳״་‐-]+$/u;
const unseen = /\p{Default_Ignorable_Code_Point}/u;
/** More marks than any script puts on one letter. */
const piled = /\p{M}{6}/u;

function isName(text: string): boolean {
  const bare = text.replace(joiner, '$1');
  return shape.test(bare) && /\p{L}/u.test(bare) && !unseen.test(bare) && !piled.test(bare);
}

/**
 * What people are called, and nothing else: a name stands in letters and before operators, so it holds no digits to
 * call, nothing that mail programs make a link of, nothing unseen and nothing that turns the direction of reading.
 */
export const Fullname = z
  .string()
  .overwrite((text) => text.replace(/\p{Zs}+/gu, ' '))
  .trim()
  .min(1, 'Enter your full name.')
  .max(100, 'Use at most 100 characters.')
  .refine(isName, 'Use letters, spaces, hyphens, apostrophes and periods only.')
  .refine((text) => !/\.\p{L}{2}/u.test(text), 'Put a space after a period, as in J. Smith.');
