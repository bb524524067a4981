import { type Cents, formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';

/** Cents in a queued letter: JSON has no integers of that size, so they travel as their digits. */
export const CentsText = z.string().regex(/^\d+$/);
export const SignedCentsText = z.string().regex(/^-?\d+$/);

/** `+$5.00` or `−$5.00`, where the direction is the news. */
export const signedUsd = (cents: Cents) => `${cents > 0n ? '+' : ''}${formatUsd(cents)}`;
