import { z } from 'zod';
import { defineCall } from '../call.ts';
import { onOne, Page, paged } from './fields.ts';

/** What people wrote through the contact form. */

export const ContactMessage = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  receivedat: z.string(),
  handled: z.object({ by: z.string(), at: z.string() }).nullable(),
});
export type ContactMessage = z.infer<typeof ContactMessage>;

const shown = ['open', 'all'] as const;
export type MessagesShown = (typeof shown)[number];

export const messages = defineCall('GET', '/api/operator/messages', {
  summary: 'What people wrote through the contact form, newest first',
  query: Page.omit({ search: true }).extend({ show: z.enum(shown).default('open') }),
  answer: z.object({ messages: z.array(ContactMessage), open: z.number().int(), ...paged }),
});

export const handlemessage = defineCall('POST', '/api/operator/messages/:id/handled', {
  ...onOne,
  summary: 'Say that a message was answered',
  refusals: ['not_found', 'already_decided'],
});
