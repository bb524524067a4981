import { z } from 'zod';
import { amountCentsMax, parseAmount } from './money.ts';

const notAnAmount = 'Enter an amount in dollars, like 250 or 250.50.';

const amountFrom = (centsMin: bigint) =>
  z.union([z.number(), z.string().max(20)], notAnAmount).transform((wire, context) => {
    const cents = parseAmount(wire);
    if (cents !== null && cents >= centsMin && cents <= amountCentsMax) return cents;
    context.addIssue({ code: 'custom', message: notAnAmount });
    return z.NEVER;
  });

/** An amount in a request. Zero and what no limit could allow are refused here already. */
export const Amount = amountFrom(1n);

/** Unlike other amounts, what is held, or paid for leaving early, may be nothing. */
export const HeldAmount = amountFrom(0n);
