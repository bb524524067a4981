import { z } from 'zod';
import { defineCall } from '../call.ts';
import {
  Passkey,
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyName,
  PasskeyRequest,
  ShownFactor,
} from '../factors.ts';
import { idOr } from '../id.ts';
import { PresentedEmail, PresentedPassword } from '../users.ts';
import { Done } from './fields.ts';
import { Operator } from './session.ts';

/** What an operator signs in with beside the password. Every change takes one of them, shown for it. */

export const signinoptions = defineCall('POST', '/api/operator/signin/options', {
  summary: 'With e-mail address and password: what to ask this operator’s passkeys for, instead of a code',
  body: z.strictObject({ email: PresentedEmail, password: PresentedPassword }),
  answer: PasskeyRequest,
  refusals: ['wrong_credentials', 'not_found'],
});

export const signinpasskey = defineCall('POST', '/api/operator/signin/passkey', {
  summary: 'Begin an operator’s session with the passkey, in the browser that showed the password',
  body: z.strictObject({ passkey: PasskeyAssertion }),
  answer: z.object({ operator: Operator }),
  refusals: ['factor_wrong', 'flow_over'],
});

export const OperatorFactors = z.object({
  authenticator: z.boolean(),
  passkey: z.array(Passkey),
  recoverycodesleft: z.number().int(),
});
export type OperatorFactors = z.infer<typeof OperatorFactors>;

export const operatorfactors = defineCall('GET', '/api/operator/factors', {
  summary: 'What whoever asks signs in to the console with, beside the password',
  answer: OperatorFactors,
});

export const operatorproofoptions = defineCall('POST', '/api/operator/factors/options', {
  summary: 'What to ask one’s own passkeys for, to change what one signs in with',
  answer: PasskeyRequest,
  refusals: ['not_found'],
});

const proven = ['factor_wrong', 'flow_over', 'outside_range'] as const;

export const newoperatorpasskey = defineCall('POST', '/api/operator/newpasskey', {
  summary: 'Show a factor; answers what to make a new passkey with',
  body: ShownFactor,
  answer: PasskeyCreation,
  refusals: proven,
});

export const confirmoperatorpasskey = defineCall('POST', '/api/operator/confirmpasskey', {
  summary: 'Add the passkey that was made',
  body: z.strictObject({ name: PasskeyName, passkey: PasskeyAttestation }),
  answer: z.object({ passkey: Passkey }),
  refusals: proven,
});

export const removeoperatorpasskey = defineCall('POST', '/api/operator/removepasskey/:passkeyid', {
  summary: 'Show a factor and remove a passkey; the last factor stays. Other sessions of the operator end',
  params: z.object({ passkeyid: idOr('This passkey id is not valid.') }),
  body: ShownFactor,
  answer: Done,
  refusals: [...proven, 'not_found'],
});

export const removeoperatorauthenticator = defineCall('POST', '/api/operator/removeauthenticator', {
  summary: 'Show a factor and do without the authenticator, where there is a passkey. Other sessions end',
  body: ShownFactor,
  answer: Done,
  refusals: [...proven, 'not_found'],
});
