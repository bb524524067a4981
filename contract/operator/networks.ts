import { z } from 'zod';
import { defineCall } from '../call.ts';
import { networkIds } from '../networks.ts';
import { ChainPayment, onOne, Person, Reason } from './fields.ts';

/** The chains as they are read, and what is on them that finds no way by itself. */

export const NetworkState = z.object({
  network: z.enum(networkIds),
  watched: z.boolean().describe('false: no node is set for it, so its payments are confirmed by hand'),
  state: z
    .enum(['following', 'behind', 'away', 'wrong-chain', 'nonsense'])
    .nullable()
    .describe('null: not looked at yet'),
  said: z.string().nullable().describe('what the node, or whoever reads it, has to say about that'),
  since: z.string().nullable(),
  lookedat: z.string().nullable(),
  height: z.number().int().nullable().describe('the last block that was read'),
  tip: z.number().int().nullable().describe('the last block that the node knew of'),
});
export type NetworkState = z.infer<typeof NetworkState>;

/** In the order in which they are shown. */
export const strayReasons = ['lost', 'nobody', 'closed', 'held-up', 'unpriced', 'dust'] as const;

export const StrayPayment = ChainPayment.extend({
  _id: z.string(),
  network: z.enum(networkIds),
  why: z
    .enum(strayReasons)
    .describe(
      'credited and its block is gone; sent to nobody, with a wrong tag or none; sent to whoever has closed the account; named for something else, or no method takes it; without a price yet; too small',
    ),
  address: z.string(),
  tag: z.string().nullable(),
  path: z.string().nullable().describe('where the address stands in the wallet of its key'),
  investor: Person.nullable(),
  transactionid: z.string().nullable().describe('of the request that it belongs to'),
});
export type StrayPayment = z.infer<typeof StrayPayment>;

/** Coins that came to an investor’s address and are in no transaction that names it: a contract passed them on. */
export const Surplus = z.object({
  _id: z.string(),
  network: z.enum(networkIds),
  coins: z.string(),
  address: z.string(),
  investor: Person.nullable(),
  fromheight: z.number().int().describe('it came after this block'),
  toheight: z.number().int().describe('and was there in this one'),
  foundat: z.string(),
});
export type Surplus = z.infer<typeof Surplus>;

export const chains = defineCall('GET', '/api/operator/networks', {
  summary: 'How far each network is read, and the payments there that somebody has to look at',
  answer: z.object({
    networks: z.array(NetworkState),
    payments: z.array(StrayPayment).describe('the newest of each kind'),
    counts: z.record(z.enum(strayReasons), z.number().int()),
    surpluses: z.array(Surplus).describe('oldest first, the first twenty'),
    surplusescount: z.number().int(),
  }),
});

export const endsurplus = defineCall('POST', '/api/operator/surpluses/:id/end', {
  ...onOne,
  summary: 'Say what coins were that came through a contract; crediting them is a deposit by hand',
  body: z.strictObject({ note: Reason }),
  refusals: ['already_decided'],
});
