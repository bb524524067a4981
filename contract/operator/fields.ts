import { z } from 'zod';
import { idOr } from '../id.ts';
import { PlainText } from '../list.ts';

/** What the console’s calls are made of. */

export const reasonLengthMin = 3;

export const reasonLengthMax = 500;

export const ById = z.object({ id: idOr('This id is not valid.') });

export const Done = z.object({ message: z.string() });

/** What is done to one thing. */
export const onOne = { params: ById, answer: Done };

/** What an investor will read, or whoever looks into the audit log later. */
export const Reason = PlainText.trim()
  .min(reasonLengthMin, 'Give a reason that others can understand.')
  .max(reasonLengthMax, `Use at most ${reasonLengthMax} characters.`);

export const Person = z.object({ _id: z.string(), fullname: z.string(), email: z.string() });

export const Name = PlainText.trim()
  .min(1, 'Enter a name.')
  .max(60, 'Use at most 60 characters.')
  .regex(/^\P{Cc}*$/u, 'Use letters, digits and punctuation only.');

/** Percent for the whole term with at most two decimals; kept as hundredths of a percent. */
export const Roi = z
  .union([z.number(), z.string().max(10)], 'Enter a percentage, like 1.9.')
  .transform((wire, context) => {
    const match = /^(\d{1,4})(?:\.(\d{1,2}))?$/.exec(String(wire));
    const points = match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : Number.NaN;
    if (points <= 100_000) return points;
    context.addIssue({ code: 'custom', message: 'Enter a percentage from 0 to 1000, like 1.9.' });
    return z.NEVER;
  });

/** A part of a whole, in percent with at most two decimals; kept as hundredths of a percent. */
export const Share = Roi.refine((points) => points <= 10_000, 'Enter a percentage from 0 to 100.');

export const Days = z.coerce.number('Enter a number of days.').int('Enter whole days.').min(1).max(3650);

export const Switch = z.strictObject({ active: z.boolean() });

export const operatorPageSize = 20;
export const pagesOf = (total: number) => Math.max(1, Math.ceil(total / operatorPageSize));

export const Page = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  search: PlainText.max(100).optional(),
});

export const paged = { page: z.number().int(), pages: z.number().int(), total: z.number().int() };

export const Day = z.iso.date('Use a day like 2026-11-15.').optional();

/** What a chain shows of a payment. */
export const ChainPayment = z.object({
  chaintransactionid: z.string(),
  chainoutput: z.number().int().nullable(),
  explorer: z.string().nullable().describe('where anyone can look it up; null on test networks'),
  coins: z.string().describe('what was paid, exactly, in the coin'),
  confirmations: z.number().int(),
  worth: z.number().nullable().describe('in dollars; null until a fresh price is known'),
  price: z.string().nullable().describe('dollars for one coin when it was first seen in a block'),
  pricesource: z.string().nullable(),
  priceat: z.string().nullable(),
  seenat: z.string(),
});
export type ChainPayment = z.infer<typeof ChainPayment>;
