import { z } from 'zod';
import { HeldAmount } from '../amount.ts';
import { defineCall } from '../call.ts';
import { Done, onOne, Reason } from './fields.ts';

/** What is owed and what is held. */

const Due = z.object({ principal: z.number(), profit: z.number(), count: z.number().int() });
const Check = z.object({
  accounts: z.number().int(),
  entries: z.number().int(),
  findings: z.array(z.string()),
});

export const books = defineCall('GET', '/api/operator/books', {
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
    weeks: z.array(Due.extend({ monday: z.string() })),
    later: Due,
    days: z.array(z.object({ day: z.string(), deposits: z.number(), withdrawals: z.number() })),
    check: Check.extend({ at: z.string() }).nullable(),
    frozen: z.string().nullable(),
  }),
});

export const enterheld = defineCall('POST', '/api/operator/books/held/:id', {
  ...onOne,
  summary: 'Enter what is held for a payment method, in dollars',
  body: z.strictObject({ amount: HeldAmount }),
  refusals: ['not_found'],
});

export const checkbooks = defineCall('POST', '/api/operator/books/check', {
  summary: 'Fold the whole journal now and compare it with the stored balances',
  answer: Check,
  refusals: ['busy'],
});

export const unfreezebooks = defineCall('POST', '/api/operator/books/unfreeze', {
  summary: 'Let withdrawals go on after a failed check was looked into; the last check must have passed',
  body: z.strictObject({ reason: Reason }),
  answer: Done,
  refusals: ['already_decided'],
});
