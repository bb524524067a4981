import { factorKinds, stepUpLinkPath } from '@tallystick/contract/factors';
import { z } from 'zod';
import { type Content, facts, link, paragraph, type Site } from './letter.ts';
import { deviceOf, greeting, oneLine, utcTime } from './wording.ts';

const event = {
  fullname: z.string(),
  at: z.iso.datetime(),
  clientAddress: z.string().optional(),
  userAgent: z.string().optional(),
};
const factor = z.enum(factorKinds);

export const StepUpLink = z.object({
  kind: z.literal('step-up-link'),
  fullname: z.string(),
  linkToken: z.string().regex(/^[A-Za-z0-9_-]+$/),
});
export const FactorAdded = z.object({
  kind: z.literal('factor-added'),
  ...event,
  factor,
  /** Of a passkey: what its owner calls it. */
  name: z.string().optional(),
});
export const FactorRemoved = z.object({
  kind: z.literal('factor-removed'),
  ...event,
  factor,
  name: z.string().optional(),
  /** From now on the password alone opens the account. */
  isLast: z.boolean(),
});
export const RecoveryCodesNew = z.object({ kind: z.literal('recovery-codes-new'), ...event });
export const RecoveryCodeUsed = z.object({
  kind: z.literal('recovery-code-used'),
  ...event,
  use: z.enum(['sign-in', 'step-up']),
  codesLeft: z.number().int(),
});

export function stepUpLink({ fullname, linkToken }: z.infer<typeof StepUpLink>, site: Site): Content {
  return {
    subject: `Confirm that it is you, at ${site.name}`,
    preview: 'The link works for ten minutes, in the browser where you asked for it.',
    title: 'Confirm that it is you',
    parts: [
      paragraph(
        `${greeting(fullname)}, open this link in the browser where you asked for it. It works for ten minutes, and once.`,
      ),
      link('Confirm', `${site.siteUrl}${stepUpLinkPath}#stepup=${linkToken}`),
    ],
    notice: `If you did not ask for it, somebody is signed in to your account: do not open the link, set a new password and write to ${site.supportEmail}.`,
  };
}

type Event = Pick<z.infer<typeof FactorAdded>, 'at' | 'clientAddress' | 'userAgent'>;

const eventFacts = ({ at, clientAddress, userAgent }: Event, ...more: ([string, string] | null)[]) =>
  facts(
    ...more,
    ['When', utcTime(at)],
    clientAddress ? ['From', oneLine(clientAddress)] : null,
    userAgent ? ['Device', deviceOf(userAgent)] : null,
  );

const ifNotYou =
  'If this was you, there is nothing to do. If it was not you, set a new password now: that signs out whoever did this. Then write to us.';

const inCase = (site: Site) => [
  paragraph(ifNotYou),
  link('Set a new password', `${site.siteUrl}/forgotpass`),
];

const notice = (site: Site) =>
  `We never ask for your password, for a code or for a recovery code. If something looks wrong, write to ${site.supportEmail}.`;

const words = { authenticator: 'authenticator', passkey: 'passkey' } as const;
const called = (name: string | undefined): [string, string] | null => (name ? ['Name', oneLine(name)] : null);

export function factorAdded(letter: z.infer<typeof FactorAdded>, site: Site): Content {
  const word = words[letter.factor];
  const article = letter.factor === 'authenticator' ? 'An' : 'A';
  return {
    subject: `${article} ${word} was added to your ${site.name} account`,
    preview: 'If this was you, there is nothing to do.',
    title: `${article} ${word} was added`,
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, ${article.toLowerCase()} ${word} was added to your account. From now on signing in asks for a second factor beside your password.`,
      ),
      eventFacts(letter, called(letter.name)),
      ...inCase(site),
    ],
    notice: notice(site),
  };
}

export function factorRemoved(letter: z.infer<typeof FactorRemoved>, site: Site): Content {
  const word = words[letter.factor];
  const article = letter.factor === 'authenticator' ? 'An' : 'A';
  const left = letter.isLast
    ? 'No second factor is left: from now on your password alone opens your account.'
    : 'Signing in still asks for a second factor.';
  return {
    subject: `${article} ${word} was removed from your ${site.name} account`,
    preview: left,
    title: `${article} ${word} was removed`,
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, ${article.toLowerCase()} ${word} was removed from your account. ${left}`,
      ),
      eventFacts(letter, called(letter.name)),
      ...inCase(site),
    ],
    notice: notice(site),
  };
}

export function recoveryCodesNew(letter: z.infer<typeof RecoveryCodesNew>, site: Site): Content {
  return {
    subject: `You have new recovery codes for ${site.name}`,
    preview: 'The older ones do not work any more.',
    title: 'New recovery codes',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, new recovery codes were made for your account. The older ones do not work any more.`,
      ),
      eventFacts(letter),
      ...inCase(site),
    ],
    notice: notice(site),
  };
}

export function recoveryCodeUsed(letter: z.infer<typeof RecoveryCodeUsed>, site: Site): Content {
  const { codesLeft } = letter;
  const left = codesLeft === 1 ? '1 recovery code is left.' : `${codesLeft} recovery codes are left.`;
  const done = letter.use === 'sign-in' ? 'signed in to your account' : 'confirmed a change of your account';
  return {
    subject: `A recovery code of your ${site.name} account was used`,
    preview: left,
    title: 'A recovery code was used',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, someone ${done} with one of your recovery codes. ${left} New ones can be made under Security.`,
      ),
      eventFacts(letter),
      ...inCase(site),
    ],
    notice: notice(site),
  };
}
