import { Amount, HeldAmount } from '@tallystick/contract/amount';
import type { Cents } from '@tallystick/contract/money';
import { z } from 'zod';

const grouped = /^\d{1,3}(,\d{3})+(\.\d{0,2})?$/;
const plain = /^(?=.*\d)0*(\d*)(?:\.(\d{0,2}))?$/;
/** Digits with points or commas of which nobody can say which of them begins the cents. */
const ambiguous = /^\d[\d.,]*[.,][\d.,]*$/;

/**
 * An amount as people type it: `2500`, `2,500.00`, `$2,500`, `0250`, `250.`, `.50`. A comma counts only where it parts
 * thousands; taken lightly, `12,50` would become twelve hundred and fifty.
 */
const Typed = z.string().transform((typed, context): string | number => {
  const text = typed.trim().replace(/^\$\s*/, '');
  const match = plain.exec(grouped.test(text) ? text.replaceAll(',', '') : text);
  if (match) return `${match[1] || '0'}${match[2] ? `.${match[2]}` : ''}`;
  if (!ambiguous.test(text)) return text;
  context.addIssue({
    code: 'custom',
    message: 'Put a point before the cents and commas between thousands only, like 1,000.50.',
  });
  return z.NEVER;
});

export const TypedAmount = Typed.pipe(Amount);

/** May be nothing, too. */
export const TypedHeldAmount = Typed.pipe(HeldAmount);

/** For what is shown while someone is still typing: null as long as it is no amount. */
export function readTyped(typed: string): Cents | null {
  return TypedAmount.safeParse(typed).data ?? null;
}
