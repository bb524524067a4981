import { z } from 'zod';
import { amountCentsMax, parseAmount } from './money.ts';

/** An amount in a request. Zero and what no limit could allow are refused here already. */
export const Amount = z
  .union([z.number(), z.string().max(20)], 'Enter an amount in dollars, like 250 or 250.50.')
  .transform((wire, context) => {
    const cents = parseAmount(wire);
    if (cents !== null && cents > 0n && cents <= amountCentsMax) return cents;
    context.addIssue({ code: 'custom', message: 'Enter an amount in dollars, like 250 or 250.50.' });
    return z.NEVER;
  });
