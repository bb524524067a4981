import { z } from 'zod';
import { type Content, facts, paragraph, type Site } from './letter.ts';
import { oneLine } from './wording.ts';

export const ContactMessageLetter = z.object({
  kind: z.literal('contact-message'),
  fullname: z.string(),
  email: z.string(),
  message: z.string(),
});

/** To support: what a visitor wrote, as they wrote it, with the address to answer to. */
export function contactMessage(letter: z.infer<typeof ContactMessageLetter>, site: Site): Content {
  return {
    subject: `${site.name} contact form: ${oneLine(letter.fullname)}`,
    preview: oneLine(letter.message),
    title: 'A message from the contact form',
    parts: [
      facts(['Name', oneLine(letter.fullname)], ['E-mail', oneLine(letter.email)]),
      ...letter.message.split(/\n{2,}/).map(paragraph),
    ],
    notice: 'Answer this mail to write back. Whoever wrote it has not proven to own the address.',
  };
}
