import { z } from 'zod';
import { Amount, HeldAmount } from './amount.ts';
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

/** What an investor may wish instead of the wallet. */
export const reinvestings = ['principal', 'everything'] as const;
export type Reinvesting = (typeof reinvestings)[number];
export const maturityChoices = ['wallet', ...reinvestings] as const;
export type MaturityChoice = (typeof maturityChoices)[number];

const toldBy = ['letter', 'screen'] as const;
export type ToldBy = (typeof toldBy)[number];
const maturityOutcomes = ['reinvested', 'paid'] as const;
export type MaturityOutcome = (typeof maturityOutcomes)[number];

const ToldTerms = z.object({
  planid: z.string(),
  planname: z.string(),
  amount: z.number(),
  profit: z.number(),
  duration: z.number().int(),
  roi: z.number(),
});

export const Maturity = z.object({
  offered: z.boolean().describe('whether the plan leaves a choice; without one it is paid to the wallet'),
  choice: z.enum(maturityChoices),
  closesat: z.string().describe('an hour before it matures'),
  told: z
    .object({
      at: z.string(),
      by: z.enum(toldBy),
      terms: ToldTerms.nullable(),
      reason: z.string().nullable().describe('why there were no terms to tell'),
    })
    .nullable()
    .describe('what it will be invested on again, if the plan is still offered then'),
  outcome: z.enum(maturityOutcomes).nullable().describe('what came of a choice other than the wallet'),
  reason: z.string().nullable().describe('why it was paid to the wallet instead'),
  reinvestedas: z.string().nullable().describe('the transaction id of what was opened'),
});
export type Maturity = z.infer<typeof Maturity>;

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
  maturity: Maturity,
  exitfrom: z.string().nullable().describe('from when on it may be left early; null: it runs to its end'),
  exit: z
    .object({
      at: z.string(),
      transactionid: z.string().describe('of what was paid'),
      days: z.number().int().describe('of the term, that were over'),
      profit: z.number().describe('what stayed of the profit so far'),
      fee: z.number(),
      paid: z.number(),
    })
    .nullable()
    .describe('it was left early: what was paid instead of amount and profit'),
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

export const ExitQuote = z.object({
  investmentid: z.string(),
  days: z.number().int().describe('of the term, that are over'),
  amount: z.number(),
  accrued: z.number().describe('the profit of these days'),
  keeps: z.number().describe('percent of it that stays'),
  kept: z.number(),
  feepercent: z.number().describe('percent of the amount'),
  fee: z.number(),
  payout: z.number().describe('amount and kept profit, less the fee: what comes to the wallet'),
  profit: z.number().describe('what the whole term would bring'),
  maturesat: z.string(),
  validuntil: z.string().describe('when the next day is over, and the amounts are others'),
});
export type ExitQuote = z.infer<typeof ExitQuote>;

const exitRefusals = ['not_found', 'already_decided', 'exit_refused'] as const;

export const exitquote = defineCall('GET', '/api/investment/exitquote/:investmentid', {
  summary: 'What leaving an investment now would pay, and until when',
  params: z.object({ investmentid: SentId }),
  answer: z.object({ quote: ExitQuote }),
  refusals: exitRefusals,
});

export const exitinvestment = defineCall('POST', '/api/investment/exitinvestment', {
  summary: 'Leave an investment early, where its plan allows it; paid to the wallet at once',
  body: z.strictObject({
    userid: SentId,
    investmentid: SentId,
    payout: HeldAmount.describe('as it was quoted; when it would be another, nothing moves'),
  }),
  answer: z.object({ investment: Investment }),
  refusals: [...exitRefusals, 'not_yours', 'step_up_required', 'terms_changed', 'key_reused'],
});

const shownStatuses = ['all', 'completed', 'ongoing'] as const;
export type ShownStatus = (typeof shownStatuses)[number];

export const fetchsingleinvestment = defineCall('GET', '/api/investment/fetchsingleinvestment/:userid', {
  summary: 'An investor’s investments, newest first; all of them, or one page when asked for',
  params: z.object({ userid: SentId }),
  query: PageQuery.extend({ status: z.enum(shownStatuses).optional() }),
  answer: z.object({ investment: z.array(Investment), ...pageAnswer }),
  refusals: ['not_yours'],
});

export const MaturityOffer = z.object({
  choice: z.enum(reinvestings),
  terms: ToldTerms.nullable(),
  towallet: z.number().describe('what is paid to the wallet all the same'),
  reason: z.string().nullable().describe('why it cannot be had now'),
});
export type MaturityOffer = z.infer<typeof MaturityOffer>;

export const maturityterms = defineCall('GET', '/api/investment/maturityterms/:investmentid', {
  summary: 'What can be chosen for the end of an investment, on the terms of this moment',
  params: z.object({ investmentid: SentId }),
  answer: z.object({
    offered: z.boolean(),
    closesat: z.string(),
    tellsat: z
      .string()
      .describe('from then on a choice is made on the terms that are shown; before, a letter tells'),
    opensat: z.string().describe('when it matures, and what is reinvested begins'),
    offers: z.array(MaturityOffer),
  }),
  refusals: ['not_found'],
});

export const choosematurity = defineCall('POST', '/api/investment/choosematurity', {
  summary: 'Choose what happens when an investment matures; moves nothing, and may be sent again',
  body: z.strictObject({
    userid: SentId,
    investmentid: SentId,
    choice: z.enum(maturityChoices),
    planid: SentId.optional().describe('with the amount: the terms as they were shown'),
    amount: Amount.optional(),
  }),
  answer: z.object({ investment: Investment }),
  refusals: ['not_yours', 'not_found', 'outside_range', 'choice_closed', 'terms_changed'],
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
