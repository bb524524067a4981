import { z } from 'zod';
import { Amount } from './amount.ts';
import { defineCall } from './call.ts';
import { idOr, SentId } from './id.ts';
import { PageQuery, pageAnswer } from './list.ts';

export const withdrawalCentsMin = 1_000n;

export const WithdrawalMethod = z.object({ _id: z.string(), methodname: z.string(), network: z.string() });
export type WithdrawalMethod = z.infer<typeof WithdrawalMethod>;

export const withdrawalStatuses = ['requested', 'approved', 'paid', 'rejected', 'cancelled'] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

export const Withdrawal = z.object({
  _id: z.string(),
  transactionid: z.string(),
  methodname: z.string(),
  withdrawalamount: z.number(),
  withdrawaladdress: z.string(),
  withdrawaltag: z.string().nullable().describe('the destination tag, on networks that have them'),
  status: z.enum(withdrawalStatuses),
  payout: z
    .object({
      coins: z.string().describe('what is sent, exactly, in the coin'),
      ticker: z.string(),
      price: z.string().describe('dollars for one coin'),
      pricesource: z.string(),
      priceat: z.string(),
    })
    .nullable()
    .describe('fixed when somebody prepares to send it'),
  chaintransactionid: z.string().nullable(),
  explorer: z.string().nullable().describe('where the payment can be looked up'),
  reason: z.string().nullable(),
  requestedat: z.string(),
  approvedat: z.string().nullable(),
  endedat: z.string().nullable(),
});
export type Withdrawal = z.infer<typeof Withdrawal>;

export const fetchallwithdrawal = defineCall('GET', '/api/withdrawal/fetchallwithdrawal', {
  summary: 'How money can be withdrawn',
  answer: z.object({ data: z.array(WithdrawalMethod) }),
});

export const makenewwithdrawal = defineCall('POST', '/api/withdrawal/makenewwithdrawal', {
  summary: 'Ask for a withdrawal; the amount is held at once',
  body: z.strictObject({
    userid: SentId,
    withdrawalid: SentId,
    withdrawalamount: Amount,
    withdrawaladdress: z
      .string()
      .min(1, 'Enter the address to send to.')
      .max(120, 'This address is too long.'),
    withdrawaltag: z
      .string()
      .regex(/^\d{1,20}$/, 'A destination tag is a number.')
      .refine((tag) => Number(tag) <= 0xffff_ffff, 'A destination tag is a number up to 4294967295.')
      .optional()
      .describe('the destination tag, on networks that have them'),
  }),
  answer: z.object({ withdrawal: Withdrawal }),
  refusals: [
    'not_yours',
    'step_up_required',
    'not_found',
    'outside_range',
    'address_wrong',
    'insufficient_funds',
    'withdrawals_frozen',
    'address_waits',
    'address_not_saved',
    'key_reused',
  ],
});

export const fetchwithdrawals = defineCall('GET', '/api/withdrawal/fetchwithdrawals', {
  summary: 'An investor’s withdrawals in all their states, newest first, a page at a time',
  query: PageQuery.pick({ page: true }).extend({
    status: z.enum([...withdrawalStatuses, 'open']).optional(),
  }),
  answer: z.object({ withdrawal: z.array(Withdrawal), ...pageAnswer }),
});

export const cancelwithdrawal = defineCall('POST', '/api/withdrawal/cancelwithdrawal/:withdrawalid', {
  summary: 'Take back a withdrawal that is not approved yet; the money returns to the wallet',
  params: z.object({ withdrawalid: idOr('This withdrawal id is not valid.') }),
  answer: z.object({ withdrawal: Withdrawal }),
  refusals: ['not_found', 'already_decided', 'key_reused'],
});
