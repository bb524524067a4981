import { z } from 'zod';
import { Amount } from '../amount.ts';
import { Waiting } from '../bounds.ts';
import { defineCall } from '../call.ts';
import { PaymentMethod } from '../funding.ts';
import { PlainText } from '../list.ts';
import { networkIds } from '../networks.ts';
import { WithdrawalMethod } from '../withdrawal.ts';
import { Done, Name, onOne, Switch } from './fields.ts';
import { secondOperator } from './second-operator.ts';
import { Signing } from './signing.ts';

/** The ways in and out that investors are offered. */

const sources = ['fixed', 'derived', 'tagged'] as const;
export type PaymentSource = (typeof sources)[number];
export const DerivedAddress = z.object({ path: z.string(), address: z.string() });
export type DerivedAddress = z.infer<typeof DerivedAddress>;

/** What else there is to say of a way in that waits: its key, with the first addresses to compare. */
const Proposed = {
  source: z.enum(sources),
  key: z.string().nullable(),
  path: z.string().nullable().describe('where the key stands in its wallet'),
  firstaddresses: z.array(DerivedAddress).describe('of a key: to be compared with what its wallet shows'),
};

export const AddressChange = z.object({
  ...Waiting,
  methodid: z.string(),
  paymentname: z.string(),
  network: z.string(),
  from: z.string().nullable().describe('null: a new method; empty for a key'),
  frompath: z.string().nullable().describe('of the key whose place it takes'),
  to: z.string().describe('the new address; empty for a key'),
  ...Proposed,
});
export type AddressChange = z.infer<typeof AddressChange>;

export const addresschanges = secondOperator('addresschanges', 'a payment address');

export const OfferedPaymentMethod = PaymentMethod.omit({ tag: true, payuri: true }).extend({
  source: z.enum(sources).describe('one address for all, an own one for each investor, or an own tag'),
  path: z.string().nullable().describe('where the key of derived addresses stands in its wallet'),
  given: z.number().int().describe('how many addresses, or tags, were given out'),
  confirmations: z.number().int().describe('after how many a payment is credited'),
  dust: z.number().describe('payments that are worth less, in dollars, are listed and not credited'),
  active: z.boolean(),
  agreed: z.boolean().describe('false: a new method whose address no second operator has agreed to'),
  signing: Signing.nullable().describe('null: there is no one address that could sign'),
  proposed: z
    .object({
      changeid: z.string(),
      paymentaddress: z.string(),
      ...Proposed,
      network: z.string().describe('the real network of the new address'),
      askedby: z.string(),
      askedbyid: z.string(),
      askedat: z.string(),
    })
    .nullable(),
});
export type OfferedPaymentMethod = z.infer<typeof OfferedPaymentMethod>;

export const paymentmethods = defineCall('GET', '/api/operator/paymentmethods', {
  summary: 'The ways in, on or off, with the address changes that wait for a second operator',
  answer: z.object({ paymentmethods: z.array(OfferedPaymentMethod) }),
});

export const PaymentAddress = PlainText.trim()
  .min(1, 'Enter the address to send to.')
  .max(120, 'This address is too long.');

export const AccountKey = PlainText.trim()
  .min(1, 'Enter the public key of an account.')
  .max(250, 'This key is too long.');

const Way = {
  source: z.enum(sources).default('fixed'),
  paymentaddress: PaymentAddress.optional(),
  key: AccountKey.optional(),
};
type Way = {
  source: PaymentSource;
  paymentaddress?: string | undefined;
  key?: string | undefined;
};
const isComplete = ({ source, paymentaddress, key }: Way) =>
  source === 'derived'
    ? key !== undefined && paymentaddress === undefined
    : paymentaddress !== undefined && key === undefined;
const incomplete = { message: 'Enter an address, or a key for addresses of their own.' };

export const previewkey = defineCall('POST', '/api/operator/paymentmethods/preview', {
  summary: 'The first addresses of a key, to be compared with what its wallet shows; nothing is changed',
  body: z.strictObject({ network: z.enum(networkIds), key: AccountKey }),
  answer: z.object({ path: z.string(), addresses: z.array(DerivedAddress) }),
  refusals: ['address_wrong'],
});

export const addpaymentmethod = defineCall('POST', '/api/operator/paymentmethods', {
  summary: 'A new way in; it shows on the site once a second operator has agreed to its address',
  body: z
    .strictObject({ paymentname: Name, network: z.enum(networkIds), ...Way })
    .refine(isComplete, incomplete),
  answer: Done,
  refusals: ['name_taken', 'address_wrong'],
});

export const proposeaddress = defineCall('POST', '/api/operator/paymentmethods/:id/address', {
  ...onOne,
  summary: 'Ask for another address; it waits for a second operator',
  body: z.strictObject(Way).refine(isComplete, incomplete),
  refusals: ['not_found', 'already_decided', 'address_wrong'],
});

/** What is set aside is nobody's: a bound for how much that can be. */
const dustCentsMax = 10_000n;

export const setpaymentmethod = defineCall('POST', '/api/operator/paymentmethods/:id/settings', {
  ...onOne,
  summary: 'After how many confirmations a payment is credited, and from how much on',
  body: z.strictObject({
    confirmations: z.int().min(1, 'At least 1.').max(1_000, 'At most 1,000.'),
    dust: Amount.refine((cents) => cents <= dustCentsMax, 'At most $100.'),
  }),
  refusals: ['not_found', 'outside_range'],
});

export const switchpaymentmethod = defineCall('POST', '/api/operator/paymentmethods/:id/switch', {
  ...onOne,
  summary: 'Offer a way in, or offer it no more',
  body: Switch,
  refusals: ['not_found', 'already_decided', 'second_operator_needed'],
});

export const OfferedWithdrawalMethod = WithdrawalMethod.extend({ active: z.boolean() });
export type OfferedWithdrawalMethod = z.infer<typeof OfferedWithdrawalMethod>;

export const withdrawalmethods = defineCall('GET', '/api/operator/withdrawalmethods', {
  summary: 'The ways out, on or off',
  answer: z.object({ withdrawalmethods: z.array(OfferedWithdrawalMethod) }),
});

export const addwithdrawalmethod = defineCall('POST', '/api/operator/withdrawalmethods', {
  summary: 'A new way out',
  body: z.strictObject({ methodname: Name, network: z.enum(networkIds) }),
  answer: Done,
  refusals: ['name_taken'],
});

export const switchwithdrawalmethod = defineCall('POST', '/api/operator/withdrawalmethods/:id/switch', {
  ...onOne,
  summary: 'Offer a way out, or offer it no more',
  body: Switch,
  refusals: ['not_found', 'already_decided'],
});
