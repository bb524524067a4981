import { Code } from '@tallystick/contract/users';
import { z } from 'zod';
import type { Content, Site } from './letter.ts';

export const ActivationCode = z.object({
  kind: z.literal('activation-code'),
  code: Code,
  linkToken: z.string().regex(/^[A-Za-z0-9_-]+$/),
});

/** Greets nobody: whoever gets it has proven nothing yet, and the name was chosen by whoever typed the address. */
export function activationCode({ code, linkToken }: z.infer<typeof ActivationCode>, site: Site): Content {
  return {
    subject: `${code} is your ${site.name} activation code`,
    preview: `${code} is your code. It works for ten minutes.`,
    title: 'Activate Your Account',
    parts: [
      { kind: 'paragraph', text: 'Hello, enter this code on the page where you signed up.' },
      { kind: 'code', code },
      {
        kind: 'paragraph',
        text: 'It works for ten minutes, and once. If typing it does not work, use this link instead. It works for one day.',
      },
      { kind: 'link', label: 'Activate my account', url: `${site.siteUrl}/verifyemail#link=${linkToken}` },
    ],
    notice:
      'We never ask for this code by phone, chat or mail. If you did not sign up, ignore this message and nothing happens.',
  };
}
