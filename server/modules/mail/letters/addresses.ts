import { addressWaitHours } from '@tallystick/contract/addresses';
import { stoppable } from '@tallystick/contract/stopping';
import { z } from 'zod';
import { type Content, facts, link, paragraph, type Site, stopLink } from './letter.ts';
import { chainLine, deviceOf, greeting, oneLine, utcTime } from './wording.ts';

const event = {
  fullname: z.string(),
  at: z.iso.datetime(),
  clientAddress: z.string().optional(),
  userAgent: z.string().optional(),
};
const LinkToken = z.string().regex(/^[A-Za-z0-9_-]+$/);

export const AddressSaved = z.object({
  kind: z.literal('address-saved'),
  ...event,
  label: z.string(),
  /** As people call it. */
  network: z.string(),
  address: z.string(),
  tag: z.string().optional(),
  /** Where it waits. */
  usableFrom: z.iso.datetime().optional(),
  linkToken: LinkToken,
});
export const ProtectionOn = z.object({ kind: z.literal('protection-on'), ...event });
export const ProtectionEnding = z.object({
  kind: z.literal('protection-ending'),
  ...event,
  offFrom: z.iso.datetime(),
  linkToken: LinkToken,
});
export const ProtectionOff = z.object({
  kind: z.literal('protection-off'),
  fullname: z.string(),
  at: z.iso.datetime(),
});
export const ChangeStopped = z.object({
  kind: z.literal('change-stopped'),
  ...event,
  what: z.enum(stoppable).exclude(['removal']),
  /** Of an address. */
  label: z.string().optional(),
  address: z.string().optional(),
  /** What was asked for to go there before, in words. */
  underWay: z.string().optional(),
});

type Event = Pick<z.infer<typeof ProtectionOn>, 'at' | 'clientAddress' | 'userAgent'>;

const eventFacts = ({ at, clientAddress, userAgent }: Event, ...more: ([string, string] | null)[]) =>
  facts(
    ...more,
    ['When', utcTime(at)],
    clientAddress ? ['From', oneLine(clientAddress)] : null,
    userAgent ? ['Device', deviceOf(userAgent)] : null,
  );

const addressesLink = (site: Site) => link('See your addresses', `${site.siteUrl}/addresses`);

const afterStopping =
  'Stopping works without signing in. Whoever did this is signed in to your account, so set a new password then, too.';

const notice = (site: Site) =>
  `We never ask for your password or for a code, and never tell you an address to save. If something looks wrong, write to ${site.supportEmail}.`;

export function addressSaved(letter: z.infer<typeof AddressSaved>, site: Site): Content {
  const { fullname, label, network, address, tag, usableFrom, linkToken } = letter;
  const when = usableFrom
    ? `Withdrawals can go there from ${utcTime(usableFrom)}.`
    : 'Your second factor was shown, so withdrawals can go there at once.';
  return {
    subject: `A new address was saved in your ${site.name} account`,
    preview: when,
    title: 'A new address was saved',
    parts: [
      paragraph(
        `${greeting(fullname)}, your addresses are protected, and a new one was saved among them. ${when}`,
      ),
      eventFacts(
        letter,
        ['Name', oneLine(label)],
        ['Network', network],
        ['Address', chainLine(address)],
        tag ? ['Destination tag', tag] : null,
      ),
      paragraph(
        `If this was you, there is nothing to do. If it was not you, take it away again with this link, within a day. ${afterStopping}`,
      ),
      stopLink('Take this address away', 'address', linkToken, site),
    ],
    notice: notice(site),
  };
}

export function protectionOn(letter: z.infer<typeof ProtectionOn>, site: Site): Content {
  return {
    subject: `Your addresses at ${site.name} are protected`,
    preview: 'Withdrawals go only to addresses that you have saved.',
    title: 'Your addresses are protected',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, from now on your withdrawals go only to addresses that you have saved. A new one takes a confirmation and, without a second factor, ${addressWaitHours} hours, and you are told of it. Look once through those that are saved: they stay as they are.`,
      ),
      eventFacts(letter),
      addressesLink(site),
    ],
    notice: notice(site),
  };
}

export function protectionEnding(letter: z.infer<typeof ProtectionEnding>, site: Site): Content {
  const { fullname, offFrom, linkToken } = letter;
  return {
    subject: `The protection of your addresses at ${site.name} is about to end`,
    preview: `It ends at ${utcTime(offFrom)}, unless you stop that.`,
    title: 'Protection is about to end',
    parts: [
      paragraph(
        `${greeting(fullname)}, somebody signed in to your account has switched off the protection of your addresses. It ends at ${utcTime(offFrom)}. From then on withdrawals can go to any address.`,
      ),
      eventFacts(letter),
      paragraph(
        `If this was you, there is nothing to do. If it was not you, keep your addresses protected with this link. ${afterStopping}`,
      ),
      stopLink('Keep my addresses protected', 'protection', linkToken, site),
    ],
    notice: notice(site),
  };
}

export function protectionOff({ fullname, at }: z.infer<typeof ProtectionOff>, site: Site): Content {
  return {
    subject: `Your addresses at ${site.name} are no longer protected`,
    preview: 'Withdrawals can go to any address.',
    title: 'Your addresses are no longer protected',
    parts: [
      paragraph(
        `${greeting(fullname)}, the protection of your addresses has ended, as we told you a day ago. Withdrawals can go to any address now. You can switch it on again at any time.`,
      ),
      facts(['When', utcTime(at)]),
      addressesLink(site),
    ],
    notice: notice(site),
  };
}

export function changeStopped(letter: z.infer<typeof ChangeStopped>, site: Site): Content {
  const { fullname, what, label, address, underWay = 'No withdrawal goes there.' } = letter;
  const done =
    what === 'address'
      ? `the new address was taken away again. ${underWay}`
      : 'the protection of your addresses stays on. It does not end.';
  const title = what === 'address' ? 'The new address was taken away' : 'Your addresses stay protected';
  return {
    subject:
      what === 'address'
        ? `The new address in your ${site.name} account was taken away`
        : `Your addresses at ${site.name} stay protected`,
    preview: title,
    title,
    parts: [
      paragraph(`${greeting(fullname)}, ${done}`),
      eventFacts(
        letter,
        label ? ['Name', oneLine(label)] : null,
        address ? ['Address', chainLine(address)] : null,
      ),
      paragraph(
        'If you stopped something that was not your own doing, somebody knows your password: set a new one now. That signs out every device.',
      ),
      link('Set a new password', `${site.siteUrl}/forgotpass`),
    ],
    notice: notice(site),
  };
}
