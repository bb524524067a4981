import { z } from 'zod';
import { BoundsChange, WireBounds } from './bounds.ts';
import { defineCall } from './call.ts';
import { PlainText } from './list.ts';
import { amountCentsMax, parseAmount } from './money.ts';
import { ById, Done, Reason } from './operator.ts';

/** What the console reads: investors, the books, the audit log, messages, and what is missing before launch. */

export const operatorPageSize = 20;

const Page = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  search: PlainText.max(100).optional(),
});
const paged = { page: z.number().int(), pages: z.number().int(), total: z.number().int() };
const Day = z.iso.date('Use a day like 2026-11-15.').optional();

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
});
export type InvestorRow = z.infer<typeof InvestorRow>;

export const investors = defineCall({
  method: 'GET',
  path: '/api/operator/investors',
  summary: 'Investors by name, e-mail, id or a transaction id, newest first',
  query: Page,
  answer: z.object({ investors: z.array(InvestorRow), ...paged }),
  refusals: [],
});

export const investor = defineCall({
  method: 'GET',
  path: '/api/operator/investors/:id',
  summary: 'One investor: balances, devices, freeze',
  params: ById,
  answer: z.object({
    investor: InvestorRow,
    together: z.number(),
    devices: z.number().int(),
    frozen: z.object({ reason: z.string(), by: z.string(), at: z.string() }).nullable(),
    waitingcorrections: z.number().int(),
  }),
  refusals: ['not_found'],
});

export const record = defineCall({
  method: 'GET',
  path: '/api/operator/investors/:id/record',
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

export const statement = defineCall({
  method: 'GET',
  path: '/api/operator/investors/:id/statement',
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

export const freezeinvestor = defineCall({
  method: 'POST',
  path: '/api/operator/investors/:id/freeze',
  summary: 'Stop an investor’s withdrawals; the reason is for the audit log',
  params: ById,
  body: z.strictObject({ reason: Reason }),
  answer: Done,
  refusals: ['not_found', 'already_decided'],
});

export const unfreezeinvestor = defineCall({
  method: 'POST',
  path: '/api/operator/investors/:id/unfreeze',
  summary: 'Let an investor withdraw again',
  params: ById,
  body: z.strictObject({ reason: Reason }),
  answer: Done,
  refusals: ['not_found', 'already_decided'],
});

export const books = defineCall({
  method: 'GET',
  path: '/api/operator/books',
  summary: 'What is owed, what is held, what falls due in which week, and the last check of the ledger',
  answer: z.object({
    at: z.string(),
    owed: z.object({
      wallets: z.number(),
      invested: z.number(),
      accrued: z.number().describe('profit so far, linear and floored; computed, never posted'),
      withdrawing: z.number(),
      together: z.number(),
    }),
    held: z.object({
      methods: z.array(
        z.object({
          methodid: z.string(),
          paymentname: z.string(),
          coin: z.string(),
          amount: z.number().nullable().describe('null: never entered'),
          enteredat: z.string().nullable(),
          enteredby: z.string().nullable(),
        }),
      ),
      together: z.number().nullable(),
    }),
    weeks: z.array(
      z.object({ monday: z.string(), principal: z.number(), profit: z.number(), count: z.number().int() }),
    ),
    later: z.object({ principal: z.number(), profit: z.number(), count: z.number().int() }),
    days: z.array(z.object({ day: z.string(), deposits: z.number(), withdrawals: z.number() })),
    check: z
      .object({
        at: z.string(),
        accounts: z.number().int(),
        entries: z.number().int(),
        findings: z.array(z.string()),
      })
      .nullable(),
    frozen: z.string().nullable(),
  }),
  refusals: [],
});

/** Unlike other amounts, what is held may be nothing. */
const Held = z.union([z.number(), z.string().max(20)]).transform((wire, context) => {
  const cents = parseAmount(wire);
  if (cents !== null && cents <= amountCentsMax) return cents;
  context.addIssue({ code: 'custom', message: 'Enter an amount in dollars, like 250 or 250.50.' });
  return z.NEVER;
});

export const enterheld = defineCall({
  method: 'POST',
  path: '/api/operator/books/held/:id',
  summary: 'Enter what is held for a payment method, in dollars',
  params: ById,
  body: z.strictObject({ amount: Held }),
  answer: Done,
  refusals: ['not_found'],
});

export const checkbooks = defineCall({
  method: 'POST',
  path: '/api/operator/books/check',
  summary: 'Fold the whole journal now and compare it with the stored balances',
  answer: z.object({ accounts: z.number().int(), entries: z.number().int(), findings: z.array(z.string()) }),
  refusals: ['busy'],
});

export const unfreezebooks = defineCall({
  method: 'POST',
  path: '/api/operator/books/unfreeze',
  summary: 'Let withdrawals go on after a failed check was looked into; the last check must have passed',
  body: z.strictObject({ reason: Reason }),
  answer: Done,
  refusals: ['already_decided'],
});

export const AuditRow = z.object({
  _id: z.number().int(),
  at: z.string(),
  actorkind: z.enum(['nobody', 'investor', 'operator', 'system']),
  actorid: z.string().nullable(),
  actorname: z.string().nullable(),
  action: z.string(),
  subjectid: z.string().nullable(),
  subjectname: z.string().nullable(),
  address: z.string().nullable(),
  details: z.record(z.string(), z.json()),
});
export type AuditRow = z.infer<typeof AuditRow>;

export const AuditQuery = z.object({
  actorkind: z.enum(['nobody', 'investor', 'operator', 'system']).optional(),
  action: PlainText.max(60).optional().describe('the beginning of an action, such as withdrawal'),
  search: PlainText.max(100)
    .optional()
    .describe('an id, a name or an e-mail of who did it or whom it is about'),
  from: Day,
  to: Day,
});

export const audit = defineCall({
  method: 'GET',
  path: '/api/operator/audit',
  summary: 'Who did what, newest first; /export.csv has all of it',
  query: AuditQuery.extend({ before: z.coerce.number().int().min(1).optional() }),
  answer: z.object({
    entries: z.array(AuditRow),
    older: z.number().int().nullable().describe('`before` of the next page; null at the end'),
  }),
  refusals: [],
});

export const ContactMessage = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  receivedat: z.string(),
  handled: z.object({ by: z.string(), at: z.string() }).nullable(),
});
export type ContactMessage = z.infer<typeof ContactMessage>;

export const messages = defineCall({
  method: 'GET',
  path: '/api/operator/messages',
  summary: 'What people wrote through the contact form, newest first',
  query: Page.omit({ search: true }).extend({ show: z.enum(['open', 'all']).default('open') }),
  answer: z.object({ messages: z.array(ContactMessage), open: z.number().int(), ...paged }),
  refusals: [],
});

export const handlemessage = defineCall({
  method: 'POST',
  path: '/api/operator/messages/:id/handled',
  summary: 'Say that a message was answered',
  params: ById,
  answer: Done,
  refusals: ['not_found', 'already_decided'],
});

export const checklist = defineCall({
  method: 'GET',
  path: '/api/operator/checklist',
  summary: 'What is missing before real people use it, and what one operator may do alone',
  answer: z.object({
    items: z.array(
      z.object({
        key: z.enum(['content', 'payments', 'secrets', 'mail', 'https', 'backup', 'operators', 'check']),
        title: z.string(),
        done: z.boolean(),
        detail: z.string(),
      }),
    ),
    bounds: WireBounds,
    boundschange: BoundsChange.nullable(),
  }),
  refusals: [],
});
