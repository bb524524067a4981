import { z } from 'zod';
import { deviceOf } from './device.ts';
import type { Content, Part, Site } from './letter.ts';
import { greeting, oneLine } from './person.ts';
import { utcTime } from './utc-time.ts';

export const PasswordChanged = z.object({
  kind: z.literal('password-changed'),
  fullname: z.string(),
  at: z.iso.datetime(),
  clientAddress: z.string().optional(),
  userAgent: z.string().optional(),
  /** After a reset: until when new addresses wait. */
  newAddressesAfter: z.iso.datetime().optional(),
});

export function passwordChanged(letter: z.infer<typeof PasswordChanged>, site: Site): Content {
  const { fullname, at, clientAddress, userAgent, newAddressesAfter } = letter;
  const facts = [{ label: 'When', value: utcTime(at) }];
  if (clientAddress) facts.push({ label: 'From', value: oneLine(clientAddress) });
  if (userAgent) facts.push({ label: 'Device', value: deviceOf(userAgent) });
  const waiting: Part[] = newAddressesAfter
    ? [
        {
          kind: 'paragraph',
          text: `It was reset by e-mail, so until ${utcTime(newAddressesAfter)} withdrawals go only to addresses that you were paid to before. New addresses work again after that.`,
        },
      ]
    : [];
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
      ...waiting,
      {
        kind: 'paragraph',
        text: 'If this was you, there is nothing to do. If it was not you, set a new password now: that signs out whoever did this.',
      },
      { kind: 'link', label: 'Set a new password', url: `${site.siteUrl}/forgotpass` },
    ],
    notice: `We never ask for your password. If something looks wrong, write to ${site.supportEmail}.`,
  };
}
