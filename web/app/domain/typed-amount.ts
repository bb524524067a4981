import { Amount } from '@tallystick/contract/amount';
import type { Cents } from '@tallystick/contract/money';
import { z } from 'zod';

const grouped = /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/;

/**
 * An amount as people type it: `2500`, `2,500.00`, `$2,500`. A comma counts only where it parts thousands; taken
 * lightly, `12,50` would become twelve hundred and fifty.
 */
export const TypedAmount = z
  .string()
  .transform((typed): string | number => {
    const text = typed.trim().replace(/^\$\s*/, '');
    return grouped.test(text) ? text.replaceAll(',', '') : text;
  })
  .pipe(Amount);

/** For what is shown while someone is still typing: null as long as it is no amount. */
export function readTyped(typed: string): Cents | null {
  return TypedAmount.safeParse(typed).data ?? null;
}
