import { z } from 'zod';
import { Amount } from './amount.ts';
import { defineCall } from './call.ts';
import { PageQuery, PlainText, pageAnswer } from './list.ts';

export const fundingCentsMin = 1_000n;
export const fundingCentsMax = 100_000_000n;

export const PaymentMethod = z.object({
  _id: z.string(),
  paymentname: z.string(),
  paymentaddress: z
    .string()
    .describe('where whoever asks sends; without a session empty where each investor has an own address'),
  tag: z.string().nullable().describe('the destination tag that must be sent along, on the XRP Ledger'),
  payuri: z.string().nullable().describe('address and tag in the form that wallets read, without an amount'),
  network: z.string(),
  coin: z.string(),
  sample: z.boolean(),
});
export type PaymentMethod = z.infer<typeof PaymentMethod>;

const FundingStatus = z.enum(['pending', 'confirmed', 'rejected']);
export type FundingStatus = z.infer<typeof FundingStatus>;

/** What the chain shows of a request. */
export const SeenPayment = z.object({
  chaintransactionid: z.string(),
  chainoutput: z.number().int().nullable(),
  coins: z.string().describe('what was paid, exactly, in the coin'),
  confirmations: z.number().int(),
  needed: z.number().int().describe('after so many confirmations it is added'),
  lost: z.boolean().describe('it was added, and its block is not part of the chain any more'),
  worth: z.number().nullable().describe('in dollars; null until a fresh price is known'),
  price: z.string().nullable().describe('dollars for one coin when it was first seen in a block'),
  pricesource: z.string().nullable(),
  priceat: z.string().nullable(),
  seenat: z.string(),
});
export type SeenPayment = z.infer<typeof SeenPayment>;

export const FundingRequest = z.object({
  _id: z.string(),
  transactionid: z.string(),
  fundingtype: z.string(),
  paymentaddress: z.string(),
  tag: z.string().nullable().describe('the destination tag that must be sent along, on the XRP Ledger'),
  network: z.string().describe('the network to pay on, and no other'),
  coin: z.string(),
  sample: z.boolean(),
  amount: z.number(),
  coinamount: z
    .string()
    .nullable()
    .describe('what it was worth in the coin when it was asked, if a price was known'),
  payuri: z
    .string()
    .nullable()
    .describe(
      'address, amount and tag in the form that wallets read (BIP21, EIP-681); null where there is none',
    ),
  announced: z.boolean().describe('false: the payment came without a request'),
  watched: z
    .boolean()
    .describe('the chain itself says when the payment is there; where it does not, an operator does'),
  payment: SeenPayment.nullable().describe('null until the chain shows one'),
  asks: z
    .boolean()
    .describe('its network has confirmed it; so large that an operator looks at it before it is added'),
  chaintransactionid: z
    .string()
    .nullable()
    .describe('of the payment: as it was seen, or as it was confirmed'),
  explorer: z.string().nullable().describe('where anyone can look it up; null on test networks'),
  received: z.number().nullable(),
  status: FundingStatus,
  reason: z.string().nullable(),
  requestedat: z.string(),
  decidedat: z.string().nullable(),
});
export type FundingRequest = z.infer<typeof FundingRequest>;

export const BalanceEntry = z.object({
  _id: z.string(),
  fundingtype: z.string(),
  finalBalance: z.number().describe('negative is a debit, otherwise a credit'),
  transactionid: z.string(),
  at: z.string(),
  balanceafter: z.number(),
  recordcode: z.string(),
  reference: z.string().nullable(),
  reason: z.string().nullable(),
  withdrawalstate: z
    .enum(['held', 'paid', 'returned'])
    .nullable()
    .describe('what became of the money that a withdrawal took; null for every other entry'),
});
export type BalanceEntry = z.infer<typeof BalanceEntry>;

export const fetchpaymentmethod = defineCall('GET', '/api/funding/fetchpaymentmethod', {
  summary: 'How a wallet can be funded, and the addresses to send to',
  answer: z.object({ data: z.array(PaymentMethod) }),
});

export const addbalance = defineCall('POST', '/api/funding/addbalance', {
  summary: 'Say that a payment is on its way; the balance changes once it is confirmed',
  body: z.strictObject({ fundingtypename: z.string().min(1).max(100), amount: Amount }),
  answer: z.object({ request: FundingRequest }),
  refusals: ['not_found', 'outside_range', 'key_reused'],
});

export const fetchbalance = defineCall('GET', '/api/funding/fetchbalance', {
  summary: 'The wallet’s entries, newest first; all of them, or one page when asked for',
  query: PageQuery.extend({ fundingtype: PlainText.max(100).optional() }),
  answer: z.object({
    balance: z.array(BalanceEntry),
    fundingtypes: z.array(z.string()).optional(),
    ...pageAnswer,
  }),
});

export const fetchrequests = defineCall('GET', '/api/funding/fetchrequests', {
  summary: 'Funding requests in all their states, newest first, a page at a time',
  query: PageQuery.pick({ page: true }).extend({
    status: FundingStatus.optional(),
    transaction: PlainText.max(100).optional().describe('the one with this transaction id, or none'),
  }),
  answer: z.object({ request: z.array(FundingRequest), ...pageAnswer }),
});
