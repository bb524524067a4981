import { z } from 'zod';
import { Amount } from '../amount.ts';
import { BoundsChange, WireBounds } from '../bounds.ts';
import { defineCall } from '../call.ts';
import { Days, Done, Roi } from './fields.ts';
import { secondOperator } from './second-operator.ts';

/** What is missing before launch, and what one operator may do alone. */

export const boundschanges = secondOperator('boundschanges', 'other bounds of what one may do alone');

export const BoundsDraft = z
  .strictObject({ threshold: Amount, roiperday: Roi, daysmin: Days, daysmax: Days, planmax: Amount })
  .refine(({ daysmin, daysmax }) => daysmin <= daysmax, {
    path: ['daysmax'],
    message: 'The longest term is below the shortest.',
  });

export const proposebounds = defineCall('POST', '/api/operator/bounds', {
  summary: 'Ask for other bounds of what one operator may do alone; a second operator has to agree',
  body: BoundsDraft,
  answer: Done,
  refusals: ['already_decided'],
});

const ChecklistItem = z.object({
  key: z.enum(['content', 'payments', 'secrets', 'mail', 'https', 'backup', 'operators', 'check', 'log']),
  title: z.string(),
  done: z.boolean(),
  detail: z.string(),
});
export type ChecklistItem = z.infer<typeof ChecklistItem>;

export const checklist = defineCall('GET', '/api/operator/checklist', {
  summary: 'What is missing before real people use it, and what one operator may do alone',
  answer: z.object({
    items: z.array(ChecklistItem),
    bounds: WireBounds,
    boundschange: BoundsChange.nullable(),
  }),
});
