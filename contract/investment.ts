import { z } from 'zod';
import { Amount } from './amount.ts';
import { defineCall } from './call.ts';
import { SentId } from './id.ts';
import { PageQuery, pageAnswer } from './list.ts';

export const WireExitTerms = z.object({
  fromday: z.number().int().describe('from when so many days of the term are over'),
  keeps: z.number().describe('the part of the profit so far that stays, in percent'),
  fee: z.number().describe('percent of the amount'),
});
export type WireExitTerms = z.infer<typeof WireExitTerms>;

export const Plan = z.object({
  _id: z.string(),
  planname: z.string(),
  from: z.number(),
  to: z.number(),
  duration: z.number().int().describe('days'),
  roi: z.number().describe('percent for the whole term'),
  reinvestable: z.boolean().describe('what it pays back may be invested in it again'),
  exit: WireExitTerms.nullable().describe('on which terms it may be left early; null: it runs to its end'),
});
export type Plan = z.infer<typeof Plan>;

export const Investment = z.object({
  _id: z.string(),
  investmentransactionid: z.string(),
  planname: z.string(),
  investinvestmemntamount: z.number(),
  duration: z.number().int(),
  roi: z.number(),
  profit: z.number(),
  status: z.number().int().describe('1 is completed, anything else ongoing'),
  openedat: z.string(),
  maturesat: z.string(),
  settledat: z.string().nullable(),
});
export type Investment = z.infer<typeof Investment>;

export const fetchallinvestmentmethod = defineCall('GET', '/api/investment/fetchallinvestmentmethod', {
  summary: 'The plans that can be invested in',
  answer: z.object({ data: z.array(Plan) }),
});

export const makeinvestment = defineCall('POST', '/api/investment/makeinvestment', {
  summary: 'Invest in a plan; the wallet pays at once',
  body: z.strictObject({
    userid: SentId,
    planid: SentId,
    investinvestmemntamount: Amount,
  }),
  answer: z.object({ investment: Investment }),
  refusals: ['not_yours', 'not_found', 'outside_range', 'insufficient_funds', 'key_reused'],
});

export const fetchsingleinvestment = defineCall('GET', '/api/investment/fetchsingleinvestment/:userid', {
  summary: 'An investor’s investments, newest first; all of them, or one page when asked for',
  params: z.object({ userid: SentId }),
  query: PageQuery.extend({ status: z.enum(['all', 'completed', 'ongoing']).optional() }),
  answer: z.object({ investment: z.array(Investment), ...pageAnswer }),
  refusals: ['not_yours'],
});

export const nextmaturity = defineCall('GET', '/api/investment/nextmaturity', {
  summary: 'The investment that matures next, and how many are ongoing',
  answer: z.object({ ongoing: z.number().int(), investment: Investment.nullable() }),
});

export const investmentsums = defineCall('GET', '/api/investment/sums', {
  summary: 'How many investments are ongoing and completed, what the ones will pay and the others have paid',
  answer: z.object({
    ongoing: z.number().int(),
    completed: z.number().int(),
    profitdue: z.number(),
    profitpaid: z.number(),
  }),
});
