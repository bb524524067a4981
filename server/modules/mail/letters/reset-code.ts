import { Code } from '@tallystick/contract/users';
import { z } from 'zod';
import type { Content, Site } from './letter.ts';
import { greeting } from './person.ts';

export const ResetCode = z.object({
  kind: z.literal('reset-code'),
  /** Empty when the address is not proven: then a stranger may have chosen the name. */
  fullname: z.string(),
  code: Code,
  linkToken: z.string().regex(/^[A-Za-z0-9_-]+$/),
});

export function resetCode({ fullname, code, linkToken }: z.infer<typeof ResetCode>, site: Site): Content {
  return {
    subject: `${code} is your ${site.name} password reset code`,
    preview: `${code} is your code. It works for ten minutes.`,
    title: 'Reset your password',
    parts: [
      {
        kind: 'paragraph',
        text: `${greeting(fullname)}, enter this code in the browser where you asked for it.`,
      },
      { kind: 'code', code },
      {
        kind: 'paragraph',
        text: 'It works for ten minutes, and once. In any other browser, use this link instead. It works for one day.',
      },
      {
        kind: 'link',
        label: 'Choose a new password',
        url: `${site.siteUrl}/verifyforgotcode#link=${linkToken}`,
      },
    ],
    notice:
      'We never ask for this code by phone, chat or mail. If you did not ask for it, ignore this message: your password stays as it is.',
  };
}
