import { z } from 'zod';
import { defineCall } from './call.ts';

/** An investor's account statements: signed files over whole days in UTC, both days included. */

export const paperKinds = ['pdf', 'csv', 'json'] as const;
export type PaperKind = (typeof paperKinds)[number];

const Day = z.iso.date('Use a day like 2026-11-15.');

export const PaperQuery = z.object({
  from: Day,
  to: Day.describe('a day that is over'),
  format: z.enum(paperKinds).default('pdf'),
});

export const PaperSpanQuery = z.object({ from: Day.optional(), to: Day.optional() });

export const PaperSpan = z.object({
  since: z.string().describe('the day the account began'),
  until: z.string().describe('the newest day that a statement may end with'),
  entries: z.number().int().describe('of the three accounts within the days that were asked for'),
});
export type PaperSpan = z.infer<typeof PaperSpan>;

export const papers = defineCall('GET', '/api/proof/papers', {
  summary: 'Which days account statements may be about, and how many entries some days have',
  query: PaperSpanQuery,
  answer: PaperSpan,
  refusals: ['outside_range'],
});

export const paper = defineCall('GET', '/api/proof/paper', {
  summary: 'An account statement of some days as a signed file: PDF, CSV or JSON (docs/trust.md, Papers)',
  query: PaperQuery,
  answer: z.string(),
  refusals: ['outside_range'],
});
