import type { Cents } from '@tallystick/contract/money';
import { z } from 'zod';
import { TypedAmount } from '../../domain/money/typed-amount.ts';

const nothing = /^(\$\s*)?0(\.0{1,2})?$/;

/** Unlike other amounts, what is held may be nothing. */
export const TypedHeld = z.string().transform((typed, context): Cents => {
  if (nothing.test(typed.trim())) return 0n;
  const amount = TypedAmount.safeParse(typed);
  if (amount.success) return amount.data;
  context.addIssue({ code: 'custom', message: 'Enter an amount in dollars, like 250 or 250.50.' });
  return z.NEVER;
});

/** Null as long as it is no amount. */
export function readHeld(typed: string): Cents | null {
  return TypedHeld.safeParse(typed).data ?? null;
}
