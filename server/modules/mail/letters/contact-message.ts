import { z } from 'zod';
import type { Content, Site } from './letter.ts';
import { oneLine } from './person.ts';

export const ContactMessageLetter = z.object({
  kind: z.literal('contact-message'),
  fullname: z.string(),
  email: z.string(),
  message: z.string(),
});

/** To support: what a visitor wrote, as they wrote it, with the address to answer to. */
export function contactMessage(letter: z.infer<typeof ContactMessageLetter>, site: Site): Content {
  const paragraphs = letter.message.split(/\n{2,}/).map((text) => ({ kind: 'paragraph' as const, text }));
  return {
    subject: `${site.name} contact form: ${oneLine(letter.fullname)}`,
    preview: oneLine(letter.message),
    title: 'A message from the contact form',
    parts: [
      {
        kind: 'facts',
        facts: [
          { label: 'Name', value: oneLine(letter.fullname) },
          { label: 'E-mail', value: oneLine(letter.email) },
        ],
      },
      ...paragraphs,
    ],
    notice: 'Answer this mail to write back. Whoever wrote it has not proven to own the address.',
  };
}
