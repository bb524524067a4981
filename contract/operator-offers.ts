import { z } from 'zod';
import { Amount } from './amount.ts';
import { PlanProposal, WireBounds } from './bounds.ts';
import { defineCall } from './call.ts';
import { paymentNetworks } from './chain.ts';
import { PlainText } from './list.ts';
import { ById, Done, secondOperator } from './operator.ts';

/** What the console offers to investors: plans, and the ways in and out; and what one operator may offer alone. */

const Name = PlainText.trim()
  .min(1, 'Enter a name.')
  .max(60, 'Use at most 60 characters.')
  .regex(/^\P{Cc}*$/u, 'Use letters, digits and punctuation only.');

/** Percent for the whole term with at most two decimals; kept as hundredths of a percent. */
const Roi = z
  .union([z.number(), z.string().max(10)], 'Enter a percentage, like 1.9.')
  .transform((wire, context) => {
    const match = /^(\d{1,4})(?:\.(\d{1,2}))?$/.exec(String(wire));
    const points = match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : Number.NaN;
    if (points <= 100_000) return points;
    context.addIssue({ code: 'custom', message: 'Enter a percentage from 0 to 1000, like 1.9.' });
    return z.NEVER;
  });

const Days = z.coerce.number('Enter a number of days.').int('Enter whole days.').min(1).max(3650);

export const PlanDraft = z.strictObject({
  planname: Name,
  from: Amount,
  to: Amount,
  duration: Days,
  roi: Roi,
});

export const OfferedPlan = z.object({
  _id: z.string(),
  planname: z.string(),
  from: z.number(),
  to: z.number(),
  duration: z.number().int(),
  roi: z.number(),
  version: z.number().int(),
  active: z.boolean(),
  openinvestments: z.number().int().describe('on any version'),
  openamount: z.number(),
});
export type OfferedPlan = z.infer<typeof OfferedPlan>;

export const plans = defineCall({
  method: 'GET',
  path: '/api/operator/plans',
  summary:
    'The newest version of every plan, on or off, in the order of the site; what waits for a second operator',
  answer: z.object({
    plans: z.array(OfferedPlan),
    proposals: z.array(PlanProposal),
    bounds: WireBounds,
  }),
  refusals: [],
});

const planRefusals = ['not_found', 'already_decided', 'name_taken', 'outside_range'] as const;

/** Beyond the bounds there is no plan yet: the proposal waits for a second operator. */
const PlanAnswer = z.object({ plan: OfferedPlan.nullable(), message: z.string() });

export const addplan = defineCall({
  method: 'POST',
  path: '/api/operator/plans',
  summary: 'Offer a new plan; beyond the bounds it waits for a second operator',
  body: PlanDraft,
  answer: PlanAnswer,
  refusals: planRefusals,
});

export const replaceplan = defineCall({
  method: 'POST',
  path: '/api/operator/plans/:id/version',
  summary:
    'A new version takes the place of a plan; open investments keep their terms; beyond the bounds it waits',
  params: ById,
  body: PlanDraft,
  answer: PlanAnswer,
  refusals: planRefusals,
});

export const planproposals = secondOperator('planproposals', 'a plan beyond the bounds', ['name_taken']);

const Switch = z.strictObject({ active: z.boolean() });

export const switchplan = defineCall({
  method: 'POST',
  path: '/api/operator/plans/:id/switch',
  summary: 'Offer a plan, or offer it no more',
  params: ById,
  body: Switch,
  answer: Done,
  refusals: [...planRefusals, 'second_operator_needed'],
});

export const orderplans = defineCall({
  method: 'POST',
  path: '/api/operator/plans/order',
  summary: 'The order in which visitors see the plans',
  body: z.strictObject({ ids: z.array(z.uuid()).min(1).max(200) }),
  answer: Done,
  refusals: ['not_found'],
});

export const BoundsDraft = z
  .strictObject({ threshold: Amount, roiperday: Roi, daysmin: Days, daysmax: Days, planmax: Amount })
  .refine(({ daysmin, daysmax }) => daysmin <= daysmax, {
    path: ['daysmax'],
    message: 'The longest term is below the shortest.',
  });

export const proposebounds = defineCall({
  method: 'POST',
  path: '/api/operator/bounds',
  summary: 'Ask for other bounds of what one operator may do alone; a second operator has to agree',
  body: BoundsDraft,
  answer: Done,
  refusals: ['already_decided'],
});

export const OfferedPaymentMethod = z.object({
  _id: z.string(),
  paymentname: z.string(),
  paymentaddress: z.string(),
  network: z.string(),
  coin: z.string(),
  sample: z.boolean(),
  active: z.boolean(),
  agreed: z.boolean().describe('false: a new method whose address no second operator has agreed to'),
  proposed: z
    .object({
      changeid: z.string(),
      paymentaddress: z.string(),
      network: z.string().describe('the real network of the new address'),
      askedby: z.string(),
      askedbyid: z.string(),
      askedat: z.string(),
    })
    .nullable(),
});
export type OfferedPaymentMethod = z.infer<typeof OfferedPaymentMethod>;

export const paymentmethods = defineCall({
  method: 'GET',
  path: '/api/operator/paymentmethods',
  summary: 'The ways in, on or off, with the address changes that wait for a second operator',
  answer: z.object({ paymentmethods: z.array(OfferedPaymentMethod) }),
  refusals: [],
});

const Address = PlainText.trim()
  .min(1, 'Enter the address to send to.')
  .max(120, 'This address is too long.');

export const addpaymentmethod = defineCall({
  method: 'POST',
  path: '/api/operator/paymentmethods',
  summary: 'A new way in; it shows on the site once a second operator has agreed to its address',
  body: z.strictObject({ paymentname: Name, network: z.enum(paymentNetworks), paymentaddress: Address }),
  answer: Done,
  refusals: ['name_taken', 'address_wrong'],
});

export const proposeaddress = defineCall({
  method: 'POST',
  path: '/api/operator/paymentmethods/:id/address',
  summary: 'Ask for another address; it waits for a second operator',
  params: ById,
  body: z.strictObject({ paymentaddress: Address }),
  answer: Done,
  refusals: ['not_found', 'already_decided', 'address_wrong'],
});

export const switchpaymentmethod = defineCall({
  method: 'POST',
  path: '/api/operator/paymentmethods/:id/switch',
  summary: 'Offer a way in, or offer it no more',
  params: ById,
  body: Switch,
  answer: Done,
  refusals: ['not_found', 'already_decided', 'second_operator_needed'],
});

export const OfferedWithdrawalMethod = z.object({
  _id: z.string(),
  methodname: z.string(),
  network: z.string(),
  active: z.boolean(),
});
export type OfferedWithdrawalMethod = z.infer<typeof OfferedWithdrawalMethod>;

export const withdrawalmethods = defineCall({
  method: 'GET',
  path: '/api/operator/withdrawalmethods',
  summary: 'The ways out, on or off',
  answer: z.object({ withdrawalmethods: z.array(OfferedWithdrawalMethod) }),
  refusals: [],
});

export const addwithdrawalmethod = defineCall({
  method: 'POST',
  path: '/api/operator/withdrawalmethods',
  summary: 'A new way out',
  body: z.strictObject({ methodname: Name, network: z.enum(paymentNetworks) }),
  answer: Done,
  refusals: ['name_taken'],
});

export const switchwithdrawalmethod = defineCall({
  method: 'POST',
  path: '/api/operator/withdrawalmethods/:id/switch',
  summary: 'Offer a way out, or offer it no more',
  params: ById,
  body: Switch,
  answer: Done,
  refusals: ['not_found', 'already_decided'],
});
