import { removalWaitDays } from '@tallystick/contract/removals';
import { z } from 'zod';
import { type Content, facts, link, paragraph, type Site, stopLink } from './letter.ts';
import { greeting, utcTime } from './wording.ts';

export const RemovalBegun = z.object({
  kind: z.literal('factor-removal-begun'),
  fullname: z.string(),
  dueAt: z.iso.datetime(),
  linkToken: z.string().regex(/^[A-Za-z0-9_-]+$/),
  /** Told of before. */
  isReminder: z.boolean(),
});
export const RemovalStopped = z.object({
  kind: z.literal('factor-removal-stopped'),
  fullname: z.string(),
  at: z.iso.datetime(),
  how: z.enum(['stopped', 'factor-shown', 'discarded']),
});
export const FactorsRemoved = z.object({
  kind: z.literal('factors-removed'),
  fullname: z.string(),
  at: z.iso.datetime(),
  newAddressesAfter: z.iso.datetime(),
});

const notice = (site: Site) =>
  `We never ask for your password, for a code or for a recovery code. If something looks wrong, write to ${site.supportEmail}.`;

export function removalBegun(letter: z.infer<typeof RemovalBegun>, site: Site): Content {
  const { fullname, dueAt, linkToken, isReminder } = letter;
  const when = utcTime(dueAt);
  const begun = isReminder
    ? 'this is a reminder: the second factors of your account are about to be removed.'
    : `we were told that you have lost every second factor and every recovery code of your account. Two of our operators have agreed to remove them, ${removalWaitDays} days from now.`;
  return {
    subject: isReminder
      ? `Reminder: your second factors at ${site.name} will be removed`
      : `Your second factors at ${site.name} will be removed`,
    preview: `On ${when}, unless you stop it.`,
    title: 'Your second factors will be removed',
    parts: [
      paragraph(`${greeting(fullname)}, ${begun}`),
      facts(['On', when]),
      paragraph(
        'If you asked for it, there is nothing to do. From then on your password alone signs you in, and you can add a new factor.',
      ),
      paragraph(
        'If you did not ask for it, somebody pretends to be you: stop it now. You need not sign in for that. Signing in with a second factor stops it, too.',
      ),
      stopLink('Stop the removal', 'removal', linkToken, site),
    ],
    notice: notice(site),
  };
}

const stops = {
  stopped: 'It was stopped with the link in one of our letters.',
  'factor-shown': 'It was stopped because a second factor of yours was used.',
  discarded: 'We have stopped it ourselves.',
} as const;

export function removalStopped({ fullname, at, how }: z.infer<typeof RemovalStopped>, site: Site): Content {
  return {
    subject: `Your second factors at ${site.name} stay`,
    preview: stops[how],
    title: 'Your second factors stay',
    parts: [
      paragraph(
        `${greeting(fullname)}, the second factors of your account will not be removed. ${stops[how]}`,
      ),
      facts(['When', utcTime(at)]),
      paragraph(
        'If you did not ask for the removal, set a new password and write to us. If you still need it, write to us, too: it begins anew then.',
      ),
      link('Set a new password', `${site.siteUrl}/forgotpass`),
    ],
    notice: notice(site),
  };
}

export function factorsRemoved(letter: z.infer<typeof FactorsRemoved>, site: Site): Content {
  const { fullname, at, newAddressesAfter } = letter;
  return {
    subject: `Your second factors at ${site.name} were removed`,
    preview: 'From now on your password alone opens your account.',
    title: 'Your second factors were removed',
    parts: [
      paragraph(
        `${greeting(fullname)}, every second factor and every recovery code was removed from your account, and every device was signed out. From now on your password alone signs you in. If you have lost it, too, set a new one by e-mail.`,
      ),
      facts(['When', utcTime(at)]),
      paragraph(
        `Until ${utcTime(newAddressesAfter)} withdrawals go only to addresses that you were paid to before. New addresses work again after that.`,
      ),
      paragraph('Add a new second factor under Security, and keep its recovery codes apart from your phone.'),
      link('Log in', `${site.siteUrl}/login`),
    ],
    notice: notice(site),
  };
}
