import { z } from 'zod';
import { Amount } from '../amount.ts';
import { Waiting } from '../bounds.ts';
import { defineCall } from '../call.ts';
import { Maturity } from '../investment.ts';
import { PlainText } from '../list.ts';
import { networkIds } from '../networks.ts';
import { topics } from '../notices.ts';
import { PaperQuery, PaperSpan, PaperSpanQuery } from '../papers.ts';
import { ById, Day, Done, onOne, Page, paged, Reason } from './fields.ts';

/** Investors as the console sees them, one by one. */

/** Positive adds to the wallet, negative takes from it. */
const SignedAmount = z.strictObject({ direction: z.enum(['add', 'take']), amount: Amount });

export const proposecorrection = defineCall('POST', '/api/operator/investors/:id/correction', {
  ...onOne,
  summary: 'Ask for a correction of a wallet; a second operator posts it',
  body: SignedAmount.extend({ reason: Reason }),
  refusals: ['not_found', 'key_reused'],
});

export const InvestorRow = z.object({
  _id: z.string(),
  fullname: z.string(),
  email: z.string(),
  verified: z.boolean(),
  since: z.string(),
  available: z.number(),
  invested: z.number(),
  withdrawing: z.number(),
  frozen: z.boolean(),
  closedat: z.string().nullable().describe('when its owner closed the account, which has no name since'),
  emailuntil: z.string().nullable().describe('of a closed account: until when its e-mail address is kept'),
});
export type InvestorRow = z.infer<typeof InvestorRow>;

export const investors = defineCall('GET', '/api/operator/investors', {
  summary: 'Investors by name, e-mail, id, a transaction id, or an address or tag of theirs, newest first',
  query: Page,
  answer: z.object({ investors: z.array(InvestorRow), ...paged }),
});

export const FactorRemoval = z.object({
  ...Waiting,
  reason: z.string().describe('how it was found out that it is the investor who asks'),
  agreedby: z.string().nullable().describe('null: it waits for a second operator'),
  dueat: z.string().nullable().describe('when the factors go, unless it is stopped'),
});
export type FactorRemoval = z.infer<typeof FactorRemoval>;

export const proposefactorremoval = defineCall('POST', '/api/operator/investors/:id/factorremoval', {
  ...onOne,
  summary:
    'Ask for the removal of every second factor of an investor who has lost them all; a second operator agrees, then the investor has days to stop it',
  body: z.strictObject({ reason: Reason }),
  refusals: ['not_found', 'already_decided'],
});

export const investor = defineCall('GET', '/api/operator/investors/:id', {
  summary:
    'One investor: balances, devices, second factors and their removal, protected addresses, letters switched off, what they were last told, freeze',
  params: ById,
  answer: z.object({
    investor: InvestorRow,
    together: z.number(),
    devices: z.number().int(),
    factors: z
      .object({ authenticator: z.boolean(), passkeys: z.number().int(), recoverycodesleft: z.number().int() })
      .describe('which second factors are on'),
    lettersoff: z
      .array(z.object({ topic: z.enum(topics), since: z.string() }))
      .describe('of what they want no letters'),
    told: z
      .array(z.object({ title: z.string(), at: z.string(), readat: z.string().nullable() }))
      .describe('their newest notices'),
    frozen: z
      .object({
        reason: z.string(),
        by: z.string().describe('an operator, or the network that took a payment back'),
        at: z.string(),
        afterloss: z.boolean().describe('a credited payment is gone from its chain: two operators unfreeze'),
        unfrozenfirst: z
          .object({ operator: z.string(), name: z.string() })
          .nullable()
          .describe('the first of the two, as long as they are an operator'),
      })
      .nullable(),
    waitingcorrections: z.number().int(),
    factorremoval: FactorRemoval.nullable().describe('what is under way to remove every second factor'),
    addressprotection: z
      .object({
        since: z.string(),
        offfrom: z.string().nullable().describe('when it ends, if that was asked for'),
      })
      .nullable()
      .describe('withdrawals go only to saved addresses; null: anywhere'),
  }),
  refusals: ['not_found'],
});

export const GivenAddress = z.object({
  _id: z.string(),
  networks: z
    .array(z.enum(networkIds))
    .describe('where it counts: one of the EVM networks is one of all of them'),
  address: z.string(),
  tag: z.string().nullable(),
  path: z.string().nullable().describe('where it stands in the wallet of its key'),
  givenat: z.string(),
  usedat: z.string().nullable().describe('when the first payment to it was seen; then another is given out'),
});
export type GivenAddress = z.infer<typeof GivenAddress>;

export const addresses = defineCall('GET', '/api/operator/investors/:id/addresses', {
  summary: 'The addresses and tags that are an investor’s own, newest first',
  params: ById,
  query: Page.pick({ page: true }),
  answer: z.object({ addresses: z.array(GivenAddress), ...paged }),
  refusals: ['not_found'],
});

export const WithdrawalAddress = z.object({
  network: z.string(),
  address: z.string(),
  tag: z.string().nullable(),
  savedas: z.string().nullable().describe('what the investor calls it; null: typed'),
  savedat: z.string().nullable(),
  usablefrom: z
    .string()
    .nullable()
    .describe('of a saved one: from when on protected addresses let money go there'),
  firstseenat: z.string().describe('when it was first saved or asked for'),
  lastpaidat: z.string().nullable(),
  timespaid: z.number().int(),
});
export type WithdrawalAddress = z.infer<typeof WithdrawalAddress>;

export const withdrawaladdresses = defineCall('GET', '/api/operator/investors/:id/withdrawaladdresses', {
  summary: 'Where an investor’s money goes or may go: saved addresses and typed ones, the last used first',
  params: ById,
  query: Page.pick({ page: true }),
  answer: z.object({ addresses: z.array(WithdrawalAddress), ...paged }),
  refusals: ['not_found'],
});

export const MaturityChoiceRow = z.object({
  _id: z.string(),
  transactionid: z.string(),
  planname: z.string(),
  amount: z.number(),
  profit: z.number(),
  maturesat: z.string(),
  settledat: z.string().nullable(),
  chosenat: z.string(),
  maturity: Maturity,
});
export type MaturityChoiceRow = z.infer<typeof MaturityChoiceRow>;

export const maturitychoices = defineCall('GET', '/api/operator/investors/:id/maturitychoices', {
  summary: 'What an investor chose for the end of investments and what came of it, the last choice first',
  params: ById,
  query: Page.pick({ page: true }),
  answer: z.object({ choices: z.array(MaturityChoiceRow), ...paged }),
  refusals: ['not_found'],
});

export const record = defineCall('GET', '/api/operator/investors/:id/record', {
  summary: 'Recompute the chain of an investor’s wallet now, from its first entry on',
  params: ById,
  answer: z.object({
    at: z.string(),
    entries: z.number().int(),
    sum: z.number(),
    finding: z.string().nullable().describe('null: every entry is as it was written'),
  }),
  refusals: ['not_found'],
});

export const StatementEntry = z.object({
  _id: z.string(),
  at: z.string(),
  fundingtype: z.string(),
  detail: z.string().nullable(),
  transactionid: z.string(),
  recordcode: z.string(),
  doneby: z.string(),
  amount: z.number(),
  balanceafter: z.number(),
  reason: z.string().nullable(),
});
export type StatementEntry = z.infer<typeof StatementEntry>;

export const statement = defineCall('GET', '/api/operator/investors/:id/statement', {
  summary: 'The wallet’s entries of a period, newest first; /export.csv has all of them',
  params: ById,
  query: Page.extend({ fundingtype: PlainText.max(100).optional(), from: Day, to: Day }),
  answer: z.object({
    entries: z.array(StatementEntry),
    fundingtypes: z.array(z.string()),
    broughtforward: z.object({ entries: z.number().int(), balance: z.number() }),
    ...paged,
  }),
  refusals: ['not_found'],
});

export const investorpapers = defineCall('GET', '/api/operator/investors/:id/papers', {
  summary: 'Which days an investor’s account statements may be about, and how many entries some days have',
  params: ById,
  query: PaperSpanQuery,
  answer: PaperSpan,
  refusals: ['not_found', 'outside_range'],
});

export const investorpaper = defineCall('GET', '/api/operator/investors/:id/paper', {
  summary:
    'The account statement that an investor gets for some days, as the same signed file; the audit log has it',
  params: ById,
  query: PaperQuery,
  answer: z.string(),
  refusals: ['not_found', 'outside_range'],
});

export const freezeinvestor = defineCall('POST', '/api/operator/investors/:id/freeze', {
  ...onOne,
  summary: 'Stop an investor’s withdrawals; the reason is for the audit log',
  body: z.strictObject({ reason: Reason }),
  refusals: ['not_found', 'already_decided'],
});

export const unfreezeinvestor = defineCall('POST', '/api/operator/investors/:id/unfreeze', {
  summary: 'Let an investor withdraw again; after a credited payment was lost, the first of two only says so',
  params: ById,
  body: z.strictObject({ reason: Reason }),
  answer: Done.extend({ frozen: z.boolean().describe('still: a second operator has to say so, too') }),
  refusals: ['not_found', 'already_decided', 'second_operator_needed'],
});
