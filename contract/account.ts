import { z } from 'zod';
import { HeldAmount } from './amount.ts';
import { defineCall } from './call.ts';
import { PresentedEmail } from './users.ts';

/** How often a day everything may be downloaded. */
export const downloadsPerDay = 5;

export const ClosingState = z.object({
  ready: z.boolean().describe('nothing stands in the way'),
  available: z.number().describe('in the wallet'),
  invested: z.number(),
  withdrawing: z.number().describe('asked for and neither paid nor given back'),
  deposits: z.number().int().describe('announced, or seen on a network, and not credited'),
  corrections: z.number().int().describe('of the wallet, which wait for a second operator'),
  frozen: z.boolean().describe('withdrawals are paused: of this account, or all'),
  leave: z
    .number()
    .describe(
      'what the wallet holds and is too little to withdraw: closing leaves exactly this to the house',
    ),
  keptdays: z.number().int().describe('for so long the e-mail address is kept and cannot be used again'),
});
export type ClosingState = z.infer<typeof ClosingState>;

export const download = defineCall('GET', '/api/account/download', {
  summary:
    'Everything about the investor as a zip of JSON and CSV files, sent while it is read; asks for step-up',
  answer: z.string(),
  refusals: ['step_up_required'],
});

export const closing = defineCall('GET', '/api/account/closing', {
  summary: 'Whether the account can be closed now, and what is in the way',
  answer: ClosingState,
});

export const close = defineCall('POST', '/api/account/close', {
  summary: 'Close the account for good, when it is empty; asks for step-up. Every session ends',
  body: z.strictObject({
    email: PresentedEmail.describe('of the account, typed once more'),
    leave: HeldAmount.default(0n).describe('as `closing` has told it; anything else is refused'),
  }),
  answer: z.object({
    message: z.string(),
    keptuntil: z.string().describe('then the e-mail address is forgotten, and free again'),
  }),
  refusals: ['step_up_required', 'email_wrong', 'account_not_empty', 'terms_changed', 'withdrawals_frozen'],
});
