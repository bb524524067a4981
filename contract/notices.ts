import { z } from 'zod';
import { defineCall } from './call.ts';
import { idOr } from './id.ts';

/** What happened, for the bell, and which of the letters about it an investor wants. */

/** What investors are told of. */
export const topics = ['deposits', 'investments', 'terms', 'withdrawals', 'addresses', 'security'] as const;
export type Topic = (typeof topics)[number];

/**
 * Letters of these may be switched off. The others are how the owner of an account learns that somebody else is at work in
 * it, or what an agreement depends on.
 */
export const switchableTopics = ['deposits', 'investments'] as const satisfies Topic[];
export type SwitchableTopic = (typeof switchableTopics)[number];

/** How many a list has at most. */
export const noticesAtOnce = 20;
/** From here on unread ones are not counted further. */
export const unreadMax = 100;

export const Notice = z.object({
  _id: z.string(),
  topic: z.enum(topics),
  title: z.string(),
  line: z.string(),
  transactionid: z.string().nullable().describe('what it is about, where that has one'),
  at: z.string(),
  readat: z.string().nullable(),
});
export type Notice = z.infer<typeof Notice>;

const NoticeId = idOr('This notice id is not valid.');
const Unread = z.object({
  unread: z.number().int().describe(`how many were not read yet; ${unreadMax} stands for so many or more`),
});

export const notices = defineCall('GET', '/api/notices', {
  summary: 'What happened, newest first, some at a time',
  query: z.object({ before: NoticeId.optional().describe('only what is older than this one') }),
  answer: z.object({
    notices: z.array(Notice),
    more: z.boolean().describe('whether there are older ones'),
  }),
  refusals: ['not_found'],
});

export const unreadnotices = defineCall('GET', '/api/notices/unread', {
  summary: 'How many notices were not read yet',
  answer: Unread,
});

export const readnotices = defineCall('POST', '/api/notices/read', {
  summary: 'Mark as read those that were shown and, to mark all, what is older than the last of them',
  body: z.strictObject({
    ids: z.array(NoticeId).max(100).describe('one’s own; others are passed over'),
    olderthan: NoticeId.optional(),
  }),
  answer: Unread,
  refusals: ['not_found'],
});

export const LetterChoice = z.object({
  topic: z.enum(topics),
  letters: z.enum(['always', 'on', 'off']),
});
export type LetterChoice = z.infer<typeof LetterChoice>;
const LetterChoices = z.object({ choices: z.array(LetterChoice) });

export const letterchoices = defineCall('GET', '/api/notices/letters', {
  summary: 'What is told by letter as well',
  answer: LetterChoices,
});

export const chooseletters = defineCall('POST', '/api/notices/letters', {
  summary: 'Have letters of a topic sent or not; the list of notices has them all the same',
  body: z.strictObject({ topic: z.enum(switchableTopics), on: z.boolean() }),
  answer: LetterChoices,
});
