import { z } from 'zod';
import { defineCall } from '../call.ts';
import { PresentedEmail, PresentedPassword } from '../users.ts';
import { Done } from './fields.ts';

/** Signing in to the console. */

export const operatorPasswordLengthMin = 15;

/** The one-time code of an authenticator app. */
export const totpLength = 6;

/** How often an authenticator shows a new code. */
export const totpSeconds = 30;

export const Totp = z.string().regex(/^[0-9]{6}$/, 'Enter the six digits your authenticator shows.');

export const RecoveryCode = z.string().trim().max(40);

export const Operator = z.object({ _id: z.string(), name: z.string(), email: z.string() });
export type Operator = z.infer<typeof Operator>;

export const Enrolment = z.object({
  secret: z.string().describe('to type in, in groups of four'),
  uri: z.string().describe('for the QR code'),
});
export type Enrolment = z.infer<typeof Enrolment>;

export const signin = defineCall('POST', '/api/operator/signin', {
  summary: 'Begin an operator’s session, or the enrolment of an authenticator at the first sign-in',
  body: z.object({
    email: PresentedEmail,
    password: PresentedPassword,
    code: Totp.optional(),
    recoverycode: RecoveryCode.optional(),
  }),
  answer: z.object({ operator: Operator.nullable(), enrolment: Enrolment.nullable() }),
  refusals: ['wrong_credentials', 'totp_wrong'],
});

export const enrol = defineCall('POST', '/api/operator/enrol', {
  summary: 'Show the first code of a new authenticator; answers the recovery codes, once',
  body: z.object({ email: PresentedEmail, password: PresentedPassword, code: Totp }),
  answer: z.object({ operator: Operator, recoverycodes: z.array(z.string()) }),
  refusals: ['wrong_credentials', 'totp_wrong'],
});

export const signout = defineCall('POST', '/api/operator/signout', {
  summary: 'End this session on the server',
  answer: Done,
});

export const me = defineCall('GET', '/api/operator/me', {
  summary: 'Who is signed in to the console',
  answer: z.object({
    operator: Operator,
    recoverycodesleft: z.number().int(),
    expiresat: z.string().describe('when the session ends in any case'),
  }),
});
