import { formatUsd } from '@tallystick/contract/money';
import { Code } from '@tallystick/contract/users';
import { z } from 'zod';
import { type Content, facts, link, paragraph, type Site } from './letter.ts';
import { deviceOf, greeting, oneLine, utcTime } from './wording.ts';

const LinkToken = z.string().regex(/^[A-Za-z0-9_-]+$/);

export const ActivationCode = z.object({
  kind: z.literal('activation-code'),
  code: Code,
  linkToken: LinkToken,
});

export const ResetCode = z.object({
  kind: z.literal('reset-code'),
  /** Empty when the address is not proven: then a stranger may have chosen the name. */
  fullname: z.string(),
  code: Code,
  linkToken: LinkToken,
});

const event = {
  fullname: z.string(),
  at: z.iso.datetime(),
  clientAddress: z.string().optional(),
  userAgent: z.string().optional(),
};

export const PasswordChanged = z.object({
  kind: z.literal('password-changed'),
  ...event,
  /** After a reset: until when new addresses wait. */
  newAddressesAfter: z.iso.datetime().optional(),
});

export const NewDevice = z.object({
  kind: z.literal('new-device'),
  ...event,
  byPasskey: z.boolean().optional(),
});

export const DataDownloaded = z.object({ kind: z.literal('data-downloaded'), ...event });

export const AccountClosed = z.object({
  kind: z.literal('account-closed'),
  ...event,
  /** Then the address is forgotten, and free again. */
  keptUntil: z.iso.datetime(),
  /** What was too little to be withdrawn. */
  leftCents: z.string().regex(/^\d+$/),
});

/** Greets nobody: whoever gets it has proven nothing yet, and the name was chosen by whoever typed the address. */
export function activationCode({ code, linkToken }: z.infer<typeof ActivationCode>, site: Site): Content {
  return {
    subject: `${code} is your ${site.name} activation code`,
    preview: `${code} is your code. It works for ten minutes.`,
    title: 'Activate Your Account',
    parts: [
      paragraph('Hello, enter this code on the page where you signed up.'),
      { kind: 'code', code },
      paragraph(
        'It works for ten minutes, and once. If typing it does not work, use this link instead. It works for one day.',
      ),
      link('Activate my account', `${site.siteUrl}/verifyemail#link=${linkToken}`),
    ],
    notice:
      'We never ask for this code by phone, chat or mail. If you did not sign up, ignore this message and nothing happens.',
  };
}

export function resetCode({ fullname, code, linkToken }: z.infer<typeof ResetCode>, site: Site): Content {
  return {
    subject: `${code} is your ${site.name} password reset code`,
    preview: `${code} is your code. It works for ten minutes.`,
    title: 'Reset your password',
    parts: [
      paragraph(`${greeting(fullname)}, enter this code in the browser where you asked for it.`),
      { kind: 'code', code },
      paragraph(
        'It works for ten minutes, and once. In any other browser, use this link instead. It works for one day.',
      ),
      link('Choose a new password', `${site.siteUrl}/verifyforgotcode#link=${linkToken}`),
    ],
    notice:
      'We never ask for this code by phone, chat or mail. If you did not ask for it, ignore this message: your password stays as it is.',
  };
}

const newPasswordLink = ({ siteUrl }: Site) => link('Set a new password', `${siteUrl}/forgotpass`);

export function passwordChanged(letter: z.infer<typeof PasswordChanged>, site: Site): Content {
  const { fullname, at, clientAddress, userAgent, newAddressesAfter } = letter;
  const waiting =
    newAddressesAfter &&
    `It was reset by e-mail, so until ${utcTime(newAddressesAfter)} withdrawals go only to addresses that you were paid to before. New addresses work again after that.`;
  return {
    subject: `Your ${site.name} password was changed`,
    preview: 'If this was you, there is nothing to do.',
    title: 'Your password was changed',
    parts: [
      paragraph(
        `${greeting(fullname)}, the password of your account was changed and every other device was signed out.`,
      ),
      facts(
        ['When', utcTime(at)],
        clientAddress ? ['From', oneLine(clientAddress)] : null,
        userAgent ? ['Device', deviceOf(userAgent)] : null,
      ),
      ...(waiting ? [paragraph(waiting)] : []),
      paragraph(
        'If this was you, there is nothing to do. If it was not you, set a new password now: that signs out whoever did this.',
      ),
      newPasswordLink(site),
    ],
    notice: `We never ask for your password. If something looks wrong, write to ${site.supportEmail}.`,
  };
}

export function newDevice(letter: z.infer<typeof NewDevice>, site: Site): Content {
  const { fullname, at, clientAddress, userAgent = '' } = letter;
  const shown = letter.byPasskey ? 'a passkey of yours' : 'your password';
  return {
    subject: `A new device signed in to your ${site.name} account`,
    preview: 'If this was you, there is nothing to do.',
    title: 'A new device signed in',
    parts: [
      paragraph(
        `${greeting(fullname)}, someone signed in to your account with ${shown}, on a device we had not seen before.`,
      ),
      facts(
        ['Device', deviceOf(userAgent)],
        ['When', utcTime(at)],
        clientAddress ? ['From', oneLine(clientAddress)] : null,
      ),
      paragraph(
        'If this was you, there is nothing to do. If it was not you, set a new password now: that signs out every device, this one too.',
      ),
      newPasswordLink(site),
    ],
    notice: `You can see and sign out your devices on your profile page. We never ask for your password. If something looks wrong, write to ${site.supportEmail}.`,
  };
}

type Event = Pick<z.infer<typeof DataDownloaded>, 'at' | 'clientAddress' | 'userAgent'>;

const eventFacts = ({ at, clientAddress, userAgent }: Event) =>
  [
    ['When', utcTime(at)],
    clientAddress ? ['From', oneLine(clientAddress)] : null,
    userAgent ? ['Device', deviceOf(userAgent)] : null,
  ] satisfies ([string, string] | null)[];

export function dataDownloaded(letter: z.infer<typeof DataDownloaded>, site: Site): Content {
  return {
    subject: `Everything about your ${site.name} account was downloaded`,
    preview: 'If this was you, there is nothing to do.',
    title: 'Your data was downloaded',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, a file with everything that we hold about you was downloaded from your account.`,
      ),
      facts(...eventFacts(letter)),
      paragraph(
        'If this was you, keep the file where nobody else finds it. If it was not you, set a new password now: that signs out whoever did this. Then write to us.',
      ),
      newPasswordLink(site),
    ],
    notice: `No password and no secret of a second factor is in that file. If something looks wrong, write to ${site.supportEmail}.`,
  };
}

export function accountClosed(letter: z.infer<typeof AccountClosed>, site: Site): Content {
  const left = BigInt(letter.leftCents);
  return {
    subject: `Your ${site.name} account is closed`,
    preview: 'It was empty, and nobody can sign in to it any more.',
    title: 'Your account is closed',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, your account was closed at your request. Nobody can sign in to it any more, and it cannot be opened again.`,
      ),
      facts(...eventFacts(letter), left > 0n ? ['Left to the house', formatUsd(left)] : null, [
        'E-mail address kept until',
        utcTime(letter.keptUntil),
      ]),
      paragraph(
        'Your name, your password, your second factors, the browsers we knew, your saved addresses and your notices are deleted. The entries of your accounts stay in the books without your name, and of your e-mail address a sealed copy for auditors of the books. Do not send anything to your deposit addresses any more.',
      ),
    ],
    notice: `If you did not do this, or sent a payment that has not arrived, write to ${site.supportEmail} before that day.`,
  };
}
