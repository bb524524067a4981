import { z } from 'zod';
import { Amount } from '../amount.ts';
import { PlanProposal, WireBounds } from '../bounds.ts';
import { defineCall } from '../call.ts';
import { idOr } from '../id.ts';
import { Plan } from '../investment.ts';
import { ById, Days, Done, Name, onOne, Roi, Share, Switch } from './fields.ts';
import { secondOperator } from './second-operator.ts';

/** The plans that investors are offered. */

export const PlanDraft = z.strictObject({
  planname: Name,
  from: Amount,
  to: Amount,
  duration: Days,
  roi: Roi,
  reinvestable: z.boolean().default(false),
  exit: z.strictObject({ fromday: Days, keeps: Share, fee: Share }).nullable().default(null),
});

export const OfferedPlan = Plan.extend({
  version: z.number().int(),
  active: z.boolean(),
  openinvestments: z.number().int().describe('on any version'),
  openamount: z.number(),
});
export type OfferedPlan = z.infer<typeof OfferedPlan>;

export const plans = defineCall('GET', '/api/operator/plans', {
  summary:
    'The newest version of every plan, on or off, in the order of the site; what waits for a second operator',
  answer: z.object({
    plans: z.array(OfferedPlan),
    proposals: z.array(PlanProposal),
    bounds: WireBounds,
  }),
});

const planRefusals = ['not_found', 'already_decided', 'name_taken', 'outside_range'] as const;

/** Beyond the bounds there is no plan yet: the proposal waits for a second operator. */
const PlanAnswer = z.object({ plan: OfferedPlan.nullable(), message: z.string() });

export const addplan = defineCall('POST', '/api/operator/plans', {
  summary: 'Offer a new plan; beyond the bounds it waits for a second operator',
  body: PlanDraft,
  answer: PlanAnswer,
  refusals: planRefusals,
});

export const replaceplan = defineCall('POST', '/api/operator/plans/:id/version', {
  summary:
    'A new version takes the place of a plan; open investments keep their terms; beyond the bounds it waits',
  params: ById,
  body: PlanDraft,
  answer: PlanAnswer,
  refusals: planRefusals,
});

export const planproposals = secondOperator('planproposals', 'a plan beyond the bounds', ['name_taken']);

export const switchplan = defineCall('POST', '/api/operator/plans/:id/switch', {
  ...onOne,
  summary: 'Offer a plan, or offer it no more',
  body: Switch,
  refusals: [...planRefusals, 'second_operator_needed'],
});

export const orderplans = defineCall('POST', '/api/operator/plans/order', {
  summary: 'The order in which visitors see the plans',
  body: z.strictObject({ ids: z.array(idOr()).min(1).max(200) }),
  answer: Done,
  refusals: ['not_found'],
});
