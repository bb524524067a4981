import { z } from 'zod';
import { Amount } from '../amount.ts';
import { BoundsChange, FirstConfirmation, PlanProposal, Waiting } from '../bounds.ts';
import { defineCall } from '../call.ts';
import { FundingRequest } from '../funding.ts';
import { PlainText } from '../list.ts';
import { networkIds } from '../networks.ts';
import { Withdrawal } from '../withdrawal.ts';
import { ById, ChainPayment, onOne, Person, Reason } from './fields.ts';
import { AddressChange } from './methods.ts';
import { decided, secondOperator } from './second-operator.ts';

/** The work that waits for an operator. */

/** Which form it must have is known with the network: see `chain.ts`. */
export const ChainTransactionId = PlainText.trim()
  .min(1, 'Enter the transaction id on the network.')
  .max(200, 'This transaction id is too long.');

const ChainOutput = z.number().int().min(0).max(100_000).optional();

/** What an operator reads of a request that the investor reads, too. */
const Asked = FundingRequest.omit({
  payuri: true,
  watched: true,
  payment: true,
  asks: true,
  chaintransactionid: true,
  explorer: true,
  received: true,
  status: true,
  reason: true,
  decidedat: true,
});

export const SeenPayment = ChainPayment.extend({
  needed: z.number().int().describe('after so many confirmations it is added'),
});
export type SeenPayment = z.infer<typeof SeenPayment>;

export const QueuedDeposit = Asked.extend({
  investor: Person,
  chain: z.enum(networkIds).nullable().describe('whose transactions pay it'),
  watched: z.boolean().describe('its chain is read: what it does not show is two operators’ word'),
  payment: SeenPayment.nullable().describe('null until the chain shows one'),
  available: z.number().describe('the wallet now'),
  confirmedbefore: z.number().int(),
  rejectedbefore: z.number().int(),
  largestbefore: z.number().nullable(),
  confirmedtoday: z.number().describe('what was confirmed for this investor within a day'),
  first: FirstConfirmation.nullable(),
});
export type QueuedDeposit = z.infer<typeof QueuedDeposit>;

const OpenStatus = Withdrawal.shape.status.extract(['requested', 'approved']);

export const QueuedWithdrawal = z.object({
  _id: z.string(),
  transactionid: z.string(),
  investor: Person,
  methodname: z.string(),
  network: z.string(),
  withdrawaladdress: z.string(),
  amount: z.number(),
  status: OpenStatus,
  requestedat: z.string(),
  available: z.number().describe('the wallet now, the amount being held already'),
  addressused: z.number().int().describe('how often this investor was paid there before, with this tag'),
  destination: z.object({
    savedas: z.string().nullable().describe('what the investor calls the address; null: typed'),
    savedat: z.string().nullable(),
    firstseenat: z.string().describe('when this investor first saved it or asked for a withdrawal there'),
    lastpaidat: z.string().nullable(),
    protected: z.boolean().describe('this investor’s withdrawals go only to saved addresses'),
  }),
  approvals: z.array(z.object({ operator: z.string(), name: z.string(), at: z.string() })),
  approvalsneeded: z.number().int().describe('when whoever asks approves it'),
  because: z.string().nullable().describe('why one operator is not enough'),
  frozen: z.string().nullable().describe('why this investor’s withdrawals are frozen'),
  tag: z.string().nullable().describe('the destination tag'),
  watched: z
    .boolean()
    .describe('its chain is read: that it was paid is marked by itself, or is two operators’ word'),
  sheet: z.number().int().nullable().describe('the number of the open payout sheet that it is on'),
  firstpaid: z
    .object({
      operator: z.string(),
      name: z.string(),
      at: z.string(),
      chaintransactionid: z.string(),
      chainoutput: z.number().int().nullable(),
      departed: z.boolean().describe('an operator no more: it does not count'),
    })
    .nullable()
    .describe('the first of two who say that it was paid'),
});
export type QueuedWithdrawal = z.infer<typeof QueuedWithdrawal>;

export const QueuedCorrection = z.object({
  ...Waiting,
  investor: Person,
  amount: z.number().describe('negative takes from the wallet'),
  reason: z.string(),
});
export type QueuedCorrection = z.infer<typeof QueuedCorrection>;

export const QueuedRemoval = z.object({
  ...Waiting,
  investor: Person,
  reason: z.string().describe('how it was found out that it is the investor who asks'),
});
export type QueuedRemoval = z.infer<typeof QueuedRemoval>;

const Sum = z.object({ count: z.number().int(), amount: z.number() });

export const queue = defineCall('GET', '/api/operator/queue', {
  summary: 'Everything that waits for an operator, oldest first',
  answer: z.object({
    deposits: z.array(QueuedDeposit),
    withdrawals: z.array(QueuedWithdrawal),
    addresschanges: z.array(AddressChange),
    corrections: z.array(QueuedCorrection),
    factorremovals: z.array(QueuedRemoval),
    boundschanges: z.array(BoundsChange),
    planproposals: z.array(PlanProposal),
    threshold: z.number().describe('above it, alone or summed over a day, two operators are needed'),
    chainthreshold: z
      .number()
      .describe('above it a payment that a chain has confirmed needs an operator, too'),
    confirmedalone: z.number().describe('deposits that whoever asks has confirmed alone within a day'),
    sums: z.object({ deposits: Sum, requested: Sum, approved: Sum, needingtwo: Sum }),
    coverage: z.object({
      owed: z.number(),
      held: z.number().nullable(),
      typed: z.number().nullable().describe('what of that is not read from a chain but typed; null: nothing'),
    }),
    frozen: z.string().nullable().describe('why all withdrawals are frozen'),
  }),
});

export const confirmdeposit = defineCall('POST', '/api/operator/deposits/:id/confirm', {
  summary: 'Credit what arrived; beyond the bounds a second operator has to confirm the same figures',
  params: ById,
  body: z.strictObject({
    received: Amount,
    chaintransactionid: ChainTransactionId,
    chainoutput: ChainOutput,
  }),
  answer: z.object({
    message: z.string(),
    status: FundingRequest.shape.status.extract(['pending', 'confirmed']),
  }),
  refusals: [...decided, 'outside_range', 'second_operator_needed'],
});

export const dropconfirmation = defineCall('POST', '/api/operator/deposits/:id/drop', {
  ...onOne,
  summary: 'Drop the first of two confirmations; the deposit waits as before',
  refusals: decided,
});

export const rejectdeposit = defineCall('POST', '/api/operator/deposits/:id/reject', {
  ...onOne,
  summary: 'Say that the payment did not arrive; the investor reads the reason',
  body: z.strictObject({ reason: Reason }),
  refusals: decided,
});

export const approvewithdrawal = defineCall('POST', '/api/operator/withdrawals/:id/approve', {
  summary: 'Approve a withdrawal; above the threshold, alone or summed over a day, two operators must',
  params: ById,
  answer: z.object({ message: z.string(), status: OpenStatus }),
  refusals: [...decided, 'second_operator_needed', 'withdrawals_frozen'],
});

export const paywithdrawal = defineCall('POST', '/api/operator/withdrawals/:id/pay', {
  summary:
    'Say that an approved withdrawal was sent, with its transaction id; where its chain is read a second operator has to say the same',
  params: ById,
  body: z.strictObject({ chaintransactionid: ChainTransactionId, chainoutput: ChainOutput }),
  answer: z.object({ message: z.string(), status: Withdrawal.shape.status.extract(['approved', 'paid']) }),
  refusals: [...decided, 'outside_range', 'withdrawals_frozen', 'second_operator_needed'],
});

export const droppayment = defineCall('POST', '/api/operator/withdrawals/:id/drop', {
  ...onOne,
  summary: 'Drop what the first of two has named as the payment of a withdrawal; it waits as before',
  refusals: decided,
});

export const rejectwithdrawal = defineCall('POST', '/api/operator/withdrawals/:id/reject', {
  ...onOne,
  summary: 'Refuse a withdrawal; the money returns to the wallet and the investor reads the reason',
  body: z.strictObject({ reason: Reason }),
  refusals: decided,
});

export const corrections = secondOperator('corrections', 'a correction', ['insufficient_funds']);

export const factorremovals = secondOperator(
  'factorremovals',
  'the removal of an investor’s second factors; dropped, it ends, also while the investor’s time to stop it runs',
);
