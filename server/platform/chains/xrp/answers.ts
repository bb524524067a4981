import { z } from 'zod';
import { listOf } from '../json-rpc.ts';

/** Far more than are asked for at once. */
const transactionsMax = 10_000;

/** A ledger every second would reach this in thirty years. */
const LedgerIndex = z.int().min(0).max(1_000_000_000);
const Hash = z
  .string()
  .regex(/^[0-9A-F]{64}$/i, 'not a hash')
  .toUpperCase();
const Account = z.string().regex(/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/, 'not an address');
const Drops = z
  .string()
  .regex(/^\d{1,18}$/, 'not drops')
  .transform(BigInt);
const Tag = z.int().min(0).max(0xffff_ffff);
/** Anything but XRP, or `unavailable` for what is older than 2014. */
const NotXrp = z.unknown().transform(() => null);

/** What rippled answers instead of a result; its short word for it is all that is used. */
const Refused = z.object({ status: z.literal('error'), error: z.string().regex(/^\w{1,40}$/) });
const success = { status: z.literal('success') };
const orRefused = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.discriminatedUnion('status', [Refused, z.object({ ...success, ...shape })]);

export const ServerInfo = orRefused({
  info: z.object({
    network_id: z.int().min(0).optional(),
    complete_ledgers: z.string().regex(/^(?:empty|\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)$/, 'not a range'),
    server_state: z.string().optional(),
    validated_ledger: z.object({ seq: LedgerIndex, hash: Hash }).optional(),
  }),
});

export const Ledger = orRefused({
  validated: z.boolean().optional(),
  ledger_index: LedgerIndex,
  ledger: z.object({ ledger_hash: Hash, parent_hash: Hash, close_time: z.int().min(0).max(0xffff_ffff) }),
});

export const AccountInfo = orRefused({
  account_data: z.object({ Balance: Drops, Flags: z.int().min(0) }),
});

export const AccountTransaction = z.object({
  validated: z.boolean(),
  tx: z.object({
    hash: Hash,
    ledger_index: LedgerIndex,
    TransactionType: z.string(),
    Account: Account,
    Destination: Account.optional(),
    DestinationTag: Tag.optional(),
  }),
  meta: z.object({
    TransactionResult: z.string(),
    /** What arrived. `Amount` is only what was meant to: a partial payment says a million there and brings a drop. */
    delivered_amount: z.union([Drops, NotXrp]).optional(),
  }),
});
export type AccountTransaction = z.infer<typeof AccountTransaction>;

export const AccountTx = orRefused({
  ledger_index_min: LedgerIndex,
  ledger_index_max: LedgerIndex,
  marker: z.unknown().optional(),
  transactions: listOf(AccountTransaction, transactionsMax),
});
