import { z } from 'zod';
import { defineCall } from '../call.ts';
import { PlainText } from '../list.ts';
import { Day } from './fields.ts';

/** Who did what. */

const ActorKind = z.enum(['nobody', 'investor', 'operator', 'system']);
export type ActorKind = z.infer<typeof ActorKind>;

export const AuditRow = z.object({
  _id: z.number().int(),
  at: z.string(),
  actorkind: ActorKind,
  actorid: z.string().nullable(),
  actorname: z.string().nullable(),
  action: z.string(),
  subjectid: z.string().nullable(),
  subjectname: z.string().nullable(),
  address: z.string().nullable(),
  // Whatever was worth noting. Not `z.json()`: it names itself, and the published document would lack what it names.
  details: z.record(z.string(), z.unknown()),
});
export type AuditRow = z.infer<typeof AuditRow>;

export const AuditQuery = z.object({
  actorkind: ActorKind.optional(),
  action: PlainText.max(60).optional().describe('the beginning of an action, such as withdrawal'),
  search: PlainText.max(100)
    .optional()
    .describe('an id, a name or an e-mail of who did it or whom it is about'),
  from: Day,
  to: Day,
});

export const audit = defineCall('GET', '/api/operator/audit', {
  summary: 'Who did what, newest first; /export.csv has all of it',
  query: AuditQuery.extend({ before: z.coerce.number().int().min(1).optional() }),
  answer: z.object({
    entries: z.array(AuditRow),
    older: z.number().int().nullable().describe('`before` of the next page; null at the end'),
  }),
});
