import { z } from 'zod';
import { defineCall } from './call.ts';
import { idOr } from './id.ts';
import { networkIds } from './networks.ts';
import { StopToken, stoppable } from './stopping.ts';
import { makenewwithdrawal } from './withdrawal.ts';

/**
 * An investor's address book, and the switch that lets withdrawals go nowhere else. Who switches nothing on types
 * addresses as ever; the book is then a convenience.
 */

export const savedAddressesMax = 50;
export const addressLabelMax = 60;
/** How long a new address waits where no second factor stands for it, and how long protection takes to end. */
export const addressWaitHours = 24;

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const Label = z
  .string()
  .trim()
  .normalize('NFC')
  .min(1, 'Give the address a name.')
  .max(addressLabelMax, `Use at most ${addressLabelMax} characters.`)
  .refine((label) => !unseen.test(label), 'This name holds a character that cannot be seen. Type it anew.');

export const SavedAddress = z.object({
  _id: z.string(),
  label: z.string(),
  network: z.enum(networkIds),
  address: z.string(),
  tag: z.string().nullable().describe('the destination tag, on networks that have them'),
  savedat: z.string(),
  usablefrom: z
    .string()
    .nullable()
    .describe('until when protected addresses keep money from it; null: it goes there now'),
  lastpaidat: z.string().nullable().describe('when a withdrawal last went there'),
});
export type SavedAddress = z.infer<typeof SavedAddress>;

export const AddressProtection = z.object({
  state: z
    .enum(['off', 'on', 'ending'])
    .describe('on, or ending: withdrawals go only to saved addresses, and a new one needs step-up'),
  since: z.string().nullable(),
  offfrom: z.string().nullable().describe('when it ends, unless somebody stops that'),
});
export type AddressProtection = z.infer<typeof AddressProtection>;

const Book = z.object({ savedaddress: z.array(SavedAddress), protection: AddressProtection });

export const savedaddresses = defineCall('GET', '/api/withdrawal/savedaddresses', {
  summary: 'An investor’s saved addresses, by their names, and whether withdrawals go nowhere else',
  answer: Book,
});

export const saveaddress = defineCall('POST', '/api/withdrawal/saveaddress', {
  summary: `Save an address; where addresses are protected it takes step-up, and without a second factor it waits ${addressWaitHours} hours`,
  body: z.strictObject({
    label: Label,
    network: z.enum(networkIds, 'Choose a network.'),
    address: makenewwithdrawal.body.shape.withdrawaladdress,
    tag: makenewwithdrawal.body.shape.withdrawaltag,
  }),
  answer: z.object({ savedaddress: SavedAddress }),
  refusals: ['step_up_required', 'address_wrong', 'already_saved', 'outside_range'],
});

const params = z.object({ addressid: idOr('This address id is not valid.') });

export const nameaddress = defineCall('POST', '/api/withdrawal/nameaddress/:addressid', {
  summary: 'Give a saved address another name',
  params,
  body: z.strictObject({ label: Label }),
  answer: z.object({ savedaddress: SavedAddress }),
  refusals: ['not_found'],
});

export const removeaddress = defineCall('POST', '/api/withdrawal/removeaddress/:addressid', {
  summary: 'Take an address out of the book',
  params,
  answer: z.object({ message: z.string() }),
  refusals: ['not_found'],
});

export const protectaddresses = defineCall('POST', '/api/withdrawal/protectaddresses', {
  summary:
    'Let withdrawals go only to saved addresses, from now on; also keeps protection that is about to end',
  answer: z.object({ protection: AddressProtection }),
  refusals: ['already_decided'],
});

export const unprotectaddresses = defineCall('POST', '/api/withdrawal/unprotectaddresses', {
  summary: `End the protection of addresses, ${addressWaitHours} hours from now; takes step-up`,
  answer: z.object({ protection: AddressProtection }),
  refusals: ['step_up_required', 'already_decided'],
});

/** Public: whoever reads the letter may stop what it tells of, signed in or not. */
export const stopchange = defineCall('POST', '/api/withdrawal/stopchange', {
  summary: 'Open the link of a letter: the new address is taken away again, or protection stays on',
  body: z.strictObject({
    what: z.enum(stoppable).exclude(['removal']),
    token: StopToken,
  }),
  answer: z.object({ message: z.string() }),
  refusals: ['link_wrong'],
});
