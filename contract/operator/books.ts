import { z } from 'zod';
import { HeldAmount } from '../amount.ts';
import { Waiting } from '../bounds.ts';
import { defineCall } from '../call.ts';
import { PlainText } from '../list.ts';
import { networkIds } from '../networks.ts';
import { Done, Name, onOne, Reason } from './fields.ts';
import { PaymentAddress } from './methods.ts';
import { NetworkState } from './networks.ts';
import { secondOperator } from './second-operator.ts';
import { Signing } from './signing.ts';

/** What is owed and what is held. */

const Due = z.object({
  principal: z.number(),
  profit: z.number(),
  again: z.number().describe('what of both is to be invested again, as things are'),
  count: z.number().int(),
});
const Check = z.object({
  accounts: z.number().int(),
  entries: z.number().int(),
  findings: z.array(z.string()),
});

const HeldNetwork = z.object({
  network: z.enum(networkIds),
  coins: z.string().describe('exactly, in the coin'),
  coldcoins: z.string().describe('of these, at cold addresses'),
  amount: z.number().nullable().describe('in dollars at the newest price; null: none was ever known'),
  price: z.string().nullable().describe('dollars for one coin'),
  priceat: z.string().nullable(),
  pricefresh: z.boolean().describe('false: the price service could not be asked for more than five minutes'),
  height: z.number().int().nullable().describe('as of this block, or a later one; null: not read yet'),
  readat: z.string().nullable(),
  unlooked: z.number().int().describe('addresses that were not looked at yet'),
  state: NetworkState.shape.state,
  said: NetworkState.shape.said,
});
export type HeldNetwork = z.infer<typeof HeldNetwork>;

const Cold = { network: z.enum(networkIds), address: z.string(), label: z.string() };

const ColdAddress = z.object({
  _id: z.string(),
  ...Cold,
  coins: z.string().nullable().describe('null: not looked at yet'),
  amount: z.number().nullable(),
  height: z.number().int().nullable(),
  fromheight: z.number().int().describe('every payment from this block on was read'),
  coinsnamed: z.number().int().describe('coins from before that were named when it was listed'),
  listedat: z.string(),
  listedby: z.string(),
  agreedby: z.string(),
  signing: Signing,
});
export type ColdAddress = z.infer<typeof ColdAddress>;

const ColdChange = z.object({
  ...Waiting,
  ...Cold,
  removes: z.boolean().describe('false: it shall count from now on; true: no more'),
  coins: z.array(z.string()),
});
export type ColdChange = z.infer<typeof ColdChange>;

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
      networks: z.array(HeldNetwork).describe('read from the chains that there are nodes for'),
      methods: z
        .array(
          z.object({
            methodid: z.string(),
            paymentname: z.string(),
            coin: z.string(),
            amount: z.number().nullable().describe('null: never entered'),
            enteredat: z.string().nullable(),
            enteredby: z.string().nullable(),
          }),
        )
        .describe('typed: those whose network has no node'),
      cold: z.array(ColdAddress),
      coldchanges: z.array(ColdChange).describe('wait for a second operator'),
      typed: z.number().nullable().describe('what of it was typed; null: nothing was'),
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
  summary: 'Enter what is held for a payment method, in dollars; only where no node tells',
  body: z.strictObject({ amount: HeldAmount }),
  refusals: ['not_found', 'already_decided'],
});

/** More would not be compared by anybody. */
const namedCoinsMax = 50;

/** Where a coin is on Bitcoin: the transaction, and the number of its output. */
const CoinName = PlainText.trim()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}:\d{1,5}$/, 'Name each coin as transaction id, colon, number of the output.');

export const listcold = defineCall('POST', '/api/operator/books/cold', {
  summary: 'Ask for a cold address to be counted as held; it waits for a second operator',
  body: z.strictObject({
    network: z.enum(networkIds),
    address: PaymentAddress,
    label: Name,
    coins: z.array(CoinName).max(namedCoinsMax, `Name at most ${namedCoinsMax} coins.`).default([]),
  }),
  answer: Done,
  refusals: ['address_wrong', 'outside_range', 'already_decided', 'busy'],
});

export const removecold = defineCall('POST', '/api/operator/books/cold/:id/remove', {
  ...onOne,
  summary: 'Ask for a cold address to be counted no more; it waits for a second operator',
  refusals: ['not_found', 'already_decided'],
});

export const coldchanges = secondOperator('books/coldchanges', 'a change of the cold addresses', [
  'address_wrong',
  'outside_range',
  'busy',
]);

export const checkbooks = defineCall('POST', '/api/operator/books/check', {
  summary: 'Fold the whole journal now and compare it with the stored balances',
  answer: Check,
  refusals: ['busy'],
});

export const provebooks = defineCall('POST', '/api/operator/books/prove', {
  summary: 'Make a statement of the books now: of how things stood a minute ago',
  answer: z.object({ number: z.number().int() }),
  refusals: ['busy', 'too_many_requests'],
});

/** Tells the passphrase that the file is sealed with, once. */
export const passphraseHeader = 'tallystick-passphrase';

export const liabilities = defineCall('GET', '/api/operator/books/liabilities', {
  summary: 'For an auditor: every leaf of a statement of the books, in a sealed file',
  query: z.object({ number: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  answer: z.unknown(),
  refusals: ['not_found'],
});

export const unfreezebooks = defineCall('POST', '/api/operator/books/unfreeze', {
  summary: 'Let withdrawals go on after a failed check was looked into; the last check must have passed',
  body: z.strictObject({ reason: Reason }),
  answer: Done,
  refusals: ['already_decided'],
});
