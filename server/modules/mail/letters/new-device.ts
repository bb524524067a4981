import { z } from 'zod';
import { deviceOf } from './device.ts';
import type { Content, Site } from './letter.ts';
import { greeting, oneLine } from './person.ts';
import { utcTime } from './utc-time.ts';

export const NewDevice = z.object({
  kind: z.literal('new-device'),
  fullname: z.string(),
  at: z.iso.datetime(),
  clientAddress: z.string().optional(),
  userAgent: z.string().optional(),
});

export function newDevice(letter: z.infer<typeof NewDevice>, site: Site): Content {
  const { fullname, at, clientAddress, userAgent = '' } = letter;
  const facts = [
    { label: 'Device', value: deviceOf(userAgent) },
    { label: 'When', value: utcTime(at) },
  ];
  if (clientAddress) facts.push({ label: 'From', value: oneLine(clientAddress) });
  return {
    subject: `A new device signed in to your ${site.name} account`,
    preview: 'If this was you, there is nothing to do.',
    title: 'A new device signed in',
    parts: [
      {
        kind: 'paragraph',
        text: `${greeting(fullname)}, someone signed in to your account with your password, on a device we had not seen before.`,
      },
      { kind: 'facts', facts },
      {
        kind: 'paragraph',
        text: 'If this was you, there is nothing to do. If it was not you, set a new password now: that signs out every device, this one too.',
      },
      { kind: 'link', label: 'Set a new password', url: `${site.siteUrl}/forgotpass` },
    ],
    notice: `You can see and sign out your devices on your profile page. We never ask for your password. If something looks wrong, write to ${site.supportEmail}.`,
  };
}
