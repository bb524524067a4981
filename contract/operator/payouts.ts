import { z } from 'zod';
import { defineCall } from '../call.ts';
import { networkIds } from '../networks.ts';
import { ById, Done, onOne, Person, Reason } from './fields.ts';
import { decided } from './second-operator.ts';

/** Payout sheets: approved withdrawals of one network, with what a wallet needs to pay them. */

/** More than this is neither one transaction nor one sitting at a wallet. */
export const sheetItemsMax = 100;

const sheetStates = ['made', 'claimed', 'expired', 'released', 'paid'] as const;
export type SheetState = (typeof sheetStates)[number];

/** An approved withdrawal that stands on no open sheet. */
export const PayableWithdrawal = z.object({
  _id: z.string(),
  transactionid: z.string(),
  investor: Person,
  withdrawaladdress: z.string(),
  tag: z.string().nullable(),
  amount: z.number(),
  approvedat: z.string(),
  hindered: z.string().nullable().describe('why it cannot be put on a sheet now, such as a freeze'),
});
export type PayableWithdrawal = z.infer<typeof PayableWithdrawal>;

export const SheetItem = PayableWithdrawal.omit({ approvedat: true, hindered: true }).extend({
  coins: z.string().describe('what is owed, exactly, in the coin'),
  status: z.enum(['approved', 'paid', 'rejected']),
  chainoutput: z
    .number()
    .int()
    .nullable()
    .describe('which output of the sheet’s Bitcoin transaction pays it'),
  chaintransactionid: z.string().nullable().describe('what paid it'),
  confirmations: z.number().int().nullable().describe('of what pays it, once the chain shows that'),
  payuri: z
    .string()
    .nullable()
    .describe(
      'for a QR code; null where one transaction pays all of it, and unless it is claimed and unpaid',
    ),
});
export type SheetItem = z.infer<typeof SheetItem>;

const By = z.object({ operator: z.string(), name: z.string(), at: z.string() });

export const PayoutSheet = z.object({
  _id: z.string(),
  number: z.number().int(),
  network: z.enum(networkIds),
  state: z.enum(sheetStates),
  made: By,
  expiresat: z.string().nullable().describe('unless somebody claims it; null once somebody has'),
  claimed: By.nullable(),
  firstreleased: By.extend({ reason: z.string() }).nullable().describe('the first of two who release it'),
  released: By.nullable(),
  amount: z.number().describe('in dollars, of all its withdrawals'),
  coins: z.string(),
  price: z.string().describe('dollars for one coin'),
  pricesource: z.string(),
  priceat: z.string(),
  needed: z.number().int().describe('after so many confirmations a payment counts'),
  hindered: z
    .string()
    .nullable()
    .describe('why a wallet is told nothing of a claimed sheet now: somebody on it is frozen, or all are'),
  transaction: z
    .object({
      chaintransactionid: z.string(),
      satpervbyte: z.number(),
      vbytes: z.number().int(),
      fee: z.string().describe('in the coin'),
      change: z.object({ address: z.string(), path: z.string(), coins: z.string() }).nullable(),
      inputs: z.array(z.object({ outpoint: z.string(), path: z.string(), coins: z.string() })),
      replaces: z.array(z.number().int()).describe('the released sheets that it can only be paid instead of'),
      psbt: z
        .string()
        .nullable()
        .describe('base64; null unless the sheet is claimed, nobody on it is frozen and nothing is paid yet'),
    })
    .nullable()
    .describe('on Bitcoin, where it is read'),
  items: z.array(SheetItem),
});
export type PayoutSheet = z.infer<typeof PayoutSheet>;

/** Coins of ours that went where no sheet sent them, or that had paid a withdrawal when their block was replaced. */
export const UnknownPayout = z.object({
  _id: z.string(),
  why: z.enum(['unknown', 'vanished']),
  transactionid: z.string().nullable().describe('of the withdrawal that it paid before it vanished'),
  network: z.enum(networkIds),
  chaintransactionid: z.string(),
  chainoutput: z.number().int().nullable(),
  address: z.string(),
  tag: z.string().nullable(),
  coins: z.string(),
  confirmations: z.number().int(),
  seenat: z.string(),
});
export type UnknownPayout = z.infer<typeof UnknownPayout>;

export const payouts = defineCall('GET', '/api/operator/payouts', {
  summary: 'Approved withdrawals network by network, the sheets that are open, and those that ended last',
  answer: z.object({
    networks: z.array(
      z.object({
        network: z.enum(networkIds),
        watched: z.boolean().describe('false: what was paid is entered by hand'),
        price: z.string().nullable().describe('dollars for one coin; null: none that is fresh'),
        spendable: z
          .string()
          .nullable()
          .describe('coins that a sheet can spend; null where that is not known'),
        withdrawals: z.array(PayableWithdrawal),
      }),
    ),
    total: z.number().int().describe('how many wait; those that are listed are the oldest'),
    open: z.array(PayoutSheet),
    ended: z.array(PayoutSheet).describe('the last twenty'),
    unknown: z.array(UnknownPayout),
  }),
});

export const makesheet = defineCall('POST', '/api/operator/payouts', {
  summary: 'Put approved withdrawals of one network on a sheet; the coins owed are fixed at the price of now',
  body: z.strictObject({
    network: z.enum(networkIds),
    withdrawals: z.array(ById.shape.id).min(1, 'Choose what is to be paid.').max(sheetItemsMax),
    satpervbyte: z
      .number('Enter a fee rate.')
      .min(1, 'The least is 1 satoshi a byte.')
      .max(5000, 'The most is 5000 satoshi a byte.')
      .optional()
      .describe('on Bitcoin, where it is read'),
  }),
  answer: z.object({ sheet: PayoutSheet }),
  refusals: ['not_found', 'already_decided', 'outside_range', 'withdrawals_frozen', 'prices_unavailable'],
});

export const claimsheet = defineCall('POST', '/api/operator/payouts/:id/claim', {
  summary: 'Say that you pay it now: from here on it does not expire, and what a wallet needs is shown',
  params: ById,
  answer: z.object({ sheet: PayoutSheet }),
  refusals: [...decided, 'withdrawals_frozen'],
});

export const discardsheet = defineCall('POST', '/api/operator/payouts/:id/discard', {
  ...onOne,
  summary: 'Drop a sheet that nobody has claimed',
  refusals: decided,
});

export const releasesheet = defineCall('POST', '/api/operator/payouts/:id/release', {
  summary:
    'Say that a claimed sheet was not paid; once a second operator says so, its withdrawals wait again',
  params: ById,
  body: z.strictObject({ reason: Reason }),
  answer: Done.extend({ state: z.enum(sheetStates).extract(['claimed', 'released']) }),
  refusals: [...decided, 'second_operator_needed'],
});

export const keepsheet = defineCall('POST', '/api/operator/payouts/:id/keep', {
  ...onOne,
  summary: 'Take back the first of two who release a sheet',
  refusals: decided,
});

/** As a file also `…/export.csv`, and on Bitcoin `…/transaction.psbt`: both while it is claimed. */
export const onesheet = defineCall('GET', '/api/operator/payouts/:id', {
  summary: 'One payout sheet',
  params: ById,
  answer: z.object({ sheet: PayoutSheet }),
  refusals: ['not_found'],
});
