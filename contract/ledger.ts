import { z } from 'zod';
import { defineCall } from './call.ts';

/** One line of an account, as its owner sees it and can recompute it (docs/money.md says how). */
export const ChainEntry = z.object({
  seq: z.number().int(),
  at: z.string(),
  transactionid: z.string(),
  fundingtype: z.string(),
  amount: z.number(),
  balanceafter: z.number(),
  hash: z.string(),
  recordcode: z.string(),
});
export type ChainEntry = z.infer<typeof ChainEntry>;

const Head = z.object({ account: z.string().nullable(), seq: z.number().int(), hash: z.string() });

export const summary = defineCall('GET', '/api/ledger/summary', {
  summary: 'What is available, invested and being withdrawn, and the head of the wallet’s chain',
  answer: z.object({
    available: z.number(),
    invested: z.number(),
    withdrawing: z.number(),
    together: z.number(),
    entries: z.number().int(),
    head: Head,
  }),
});

export const history = defineCall('GET', '/api/ledger/history', {
  summary: 'The wallet’s balance at the end of each of the last days (UTC), oldest first',
  query: z.object({ days: z.coerce.number().int().min(1).max(366).default(30) }),
  answer: z.object({ history: z.array(z.object({ at: z.string(), balance: z.number() })) }),
});

/** The accounts that every investor has. */
export const investorAccounts = ['wallet', 'invested', 'withdrawing'] as const;

export const entries = defineCall('GET', '/api/ledger/entries', {
  summary: 'An own account’s entries in the order they were written, for recomputing the chain',
  query: z.object({
    account: z.enum(investorAccounts).default('wallet'),
    after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
    limit: z.coerce.number().int().min(1).max(1000).default(500),
  }),
  answer: z.object({ entries: z.array(ChainEntry), head: Head }),
});
