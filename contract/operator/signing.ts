import { z } from 'zod';
import { defineCall } from '../call.ts';
import { PlainText } from '../list.ts';
import { networkIds } from '../networks.ts';
import { Done } from './fields.ts';

/** That an address is ours, said by its own key. */

export const Signing = z.object({
  message: z
    .string()
    .describe('what the address is to sign: it follows from the log, the network and the address'),
  signed: z
    .object({
      signature: z.string(),
      publickey: z.string().nullable(),
      at: z.string(),
      by: z.string().describe('the operator who entered it'),
    })
    .nullable(),
});
export type Signing = z.infer<typeof Signing>;

export const signaddress = defineCall('POST', '/api/operator/addresses/signature', {
  summary: 'Enter what an address of ours has signed; it is checked, kept and told in the public log',
  body: z.strictObject({
    network: z.enum(networkIds),
    address: PlainText.trim().min(1).max(120),
    signature: PlainText.trim()
      .min(1, 'Paste the signature.')
      .max(600, 'This is too long for a signature. Paste the signature alone.'),
    publickey: PlainText.trim()
      .min(1, 'Enter the public key.')
      .max(100, 'This is too long for a public key.')
      .optional()
      .describe('where an address is the hash of one, and the signature does not tell it'),
  }),
  answer: Done,
  refusals: ['not_found', 'signature_wrong'],
});
