import { factorKinds } from '@tallystick/contract/factors';
import { z } from 'zod';
import { type Content, facts, paragraph, type Site } from './letter.ts';
import { deviceOf, greeting, oneLine, utcTime } from './wording.ts';

/** To an operator: nobody adds or removes what opens the console without its owner's knowing. */
export const OperatorFactorChanged = z.object({
  kind: z.literal('operator-factor-changed'),
  fullname: z.string(),
  at: z.iso.datetime(),
  clientAddress: z.string().optional(),
  userAgent: z.string().optional(),
  change: z.enum(['added', 'removed']),
  factor: z.enum(factorKinds),
  /** Of a passkey: what its owner calls it. */
  passkey: z.string().optional(),
});

export function operatorFactorChanged(letter: z.infer<typeof OperatorFactorChanged>, site: Site): Content {
  const { fullname, at, clientAddress, userAgent, change, factor, passkey } = letter;
  const what = `${factor === 'authenticator' ? 'An authenticator' : 'A passkey'} was ${change}`;
  return {
    subject: `Operator console of ${site.name}: ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
    preview: 'If this was you, there is nothing to do.',
    title: what,
    parts: [
      paragraph(
        `${greeting(fullname)}, ${what.charAt(0).toLowerCase()}${what.slice(1)}, for your sign-in to the operator console.`,
      ),
      facts(
        passkey ? ['Name', oneLine(passkey)] : null,
        ['When', utcTime(at)],
        clientAddress ? ['From', oneLine(clientAddress)] : null,
        userAgent ? ['Device', deviceOf(userAgent)] : null,
      ),
      paragraph(
        'If this was you, there is nothing to do. If it was not you, tell whoever runs the server at once: npm run operator resets your second factors and gives you a new password.',
      ),
    ],
    notice: 'We never ask for your password, for a code or for a recovery code.',
  };
}
