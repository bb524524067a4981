import { z } from 'zod';
import { defineCall } from './call.ts';

/** Whole cents, in digits: beyond what a number holds exactly. */
const CentsText = z.string().regex(/^(0|[1-9][0-9]{0,18})$/);
/** Wallet, invested, profit so far, being withdrawn: always in this order. */
const Amounts = z.tuple([CentsText, CentsText, CentsText, CentsText]);
const Hash = z.string().regex(/^[0-9a-f]{64}$/);

const StatementNumber = z.number().int().min(1);

/** The parts of `docs/trust.md` that an investor needs to find their money in the total owed. */
export const mine = defineCall('GET', '/api/proof/mine', {
  summary: 'Where the own money stands in a statement of the books; the newest one without a number',
  query: z.object({ number: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional() }),
  answer: z.object({
    number: StatementNumber,
    id: z
      .string()
      .describe('what the leaves are made of beside the amounts: the own e-mail, in small letters'),
    secret: Hash,
    pieces: z.array(
      z.object({
        index: z.number().int(),
        amounts: Amounts,
        path: z.array(z.object({ hash: Hash, amounts: Amounts })).describe('from the leaf up'),
      }),
    ),
  }),
  refusals: ['not_found'],
});

export const Statement = z.object({
  number: StatementNumber,
  time: z.string().describe('how things stood then'),
  place: z.number().int().nullable().describe('of its entry in the log; null until that is appended'),
  owed: Amounts,
  held: CentsText.nullable().describe('cents; null as long as nothing is known of it'),
  typed: CentsText.nullable().describe('of that, what operators typed because no chain shows it'),
});
export type Statement = z.infer<typeof Statement>;

export const statements = defineCall('GET', '/api/proof/statements', {
  summary: 'The statements of the books, newest first',
  query: z.object({ limit: z.coerce.number().int().min(1).max(400).default(90) }),
  answer: z.object({ statements: z.array(Statement) }),
});

export const LogEntry = z.object({ place: z.number().int(), text: z.string() });
export type LogEntry = z.infer<typeof LogEntry>;

export const logKinds = [
  'plan',
  'method',
  'key',
  'address',
  'correction',
  'freeze',
  'audit',
  'books',
] as const;

export const entries = defineCall('GET', '/api/proof/entries', {
  summary: 'What the public log tells, of one kind, newest first',
  query: z.object({
    kind: z.enum(logKinds),
    before: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(100),
  }),
  answer: z.object({ entries: z.array(LogEntry), more: z.boolean() }),
});

export const Witness = z.object({
  name: z.string(),
  vkey: z.string(),
  sample: z.boolean().describe('started by the demo itself: it shows how it works and proves nothing'),
  size: z.number().int().nullable().describe('of the newest checkpoint that it has signed'),
  at: z.string().nullable(),
});
export type Witness = z.infer<typeof Witness>;

export const state = defineCall('GET', '/api/proof/state', {
  summary: 'The public log: its name and key, how far it is signed, by whom it is witnessed',
  answer: z.object({
    origin: z.string(),
    vkey: z.string(),
    size: z.number().int(),
    signedat: z.string().nullable(),
    witnesses: z.array(Witness),
    stopped: z.string().nullable().describe('why nothing is signed any more; null when all is well'),
  }),
});
