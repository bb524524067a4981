import { z } from 'zod';
import { deviceOf } from './device.ts';
import type { Content, Site } from './letter.ts';
import { greeting, oneLine } from './person.ts';
import { utcTime } from './utc-time.ts';

export const PasswordChanged = z.object({
  kind: z.literal('password-changed'),
  fullname: z.string(),
  at: z.iso.datetime(),
  clientAddress: z.string().optional(),
  userAgent: z.string().optional(),
});

export function passwordChanged(letter: z.infer<typeof PasswordChanged>, site: Site): Content {
  const { fullname, at, clientAddress, userAgent } = letter;
  const facts = [{ label: 'When', value: utcTime(at) }];
  if (clientAddress) facts.push({ label: 'From', value: oneLine(clientAddress) });
  if (userAgent) facts.push({ label: 'Device', value: deviceOf(userAgent) });
  return {
    subject: `Your ${site.name} password was changed`,
    preview: 'If this was you, there is nothing to do.',
    title: 'Your password was changed',
    parts: [
      {
        kind: 'paragraph',
        text: `${greeting(fullname)}, the password of your account was changed and every other device was signed out.`,
      },
      { kind: 'facts', facts },
      {
        kind: 'paragraph',
        text: 'If this was you, there is nothing to do. If it was not you, set a new password now: that signs out whoever did this.',
      },
      { kind: 'link', label: 'Set a new password', url: `${site.siteUrl}/forgotpass` },
    ],
    notice: `We never ask for your password. If something looks wrong, write to ${site.supportEmail}.`,
  };
}
