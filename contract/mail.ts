import { z } from 'zod';
import { defineCall } from './call.ts';
import { Fullname } from './fullname.ts';
import { PlainText } from './list.ts';
import { Email } from './users.ts';

const contactMessageLengthMax = 4000;

const ContactMessage = z.object({
  name: Fullname,
  email: Email,
  message: PlainText.trim()
    .min(1, 'Write a message.')
    .max(contactMessageLengthMax, `Use at most ${contactMessageLengthMax} characters.`),
});

export const contact = defineCall('POST', '/api/mail/contact', {
  summary: 'Write to support; a few messages an hour from one address',
  body: ContactMessage,
  answer: z.object({ message: z.string() }),
});
