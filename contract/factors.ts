import { z } from 'zod';
import { HeldAmount } from './amount.ts';
import { defineCall } from './call.ts';
import { factorWays } from './errors.ts';
import { idOr } from './id.ts';
import { Enrolment, RecoveryCode, Totp } from './operator/session.ts';
import { Session } from './users.ts';

/**
 * A second factor for investors: authenticator codes, passkeys, recovery codes. Whoever has one on is asked for it after
 * the password, and again (step-up) for what matters most; who has none sees nothing of all this but the mailed link, which
 * stands for it where the first one is added.
 */

/** What a second factor can be; recovery codes come with the first. */
export const factorKinds = ['authenticator', 'passkey'] as const;
export type FactorKind = (typeof factorKinds)[number];

/** How long a confirmed session may do what asks for step-up. */
export const stepUpMinutes = 10;
/** How long the second step of a sign-in may take; also how long a passkey may be asked for. */
export const flowMinutes = 5;
export const passkeysMax = 20;
/** Where the mailed link of a step-up leads; the token stands behind `#stepup=`. */
export const stepUpLinkPath = '/security';

/** What the browser makes of bytes: base64url, without padding. */
const Bytes = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .regex(/^[A-Za-z0-9_-]*$/);
const CredentialId = Bytes(1400).min(1);

export const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
const Transports = z.array(z.enum(transports)).max(transports.length);
const KnownCredential = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: Transports.optional(),
});

/** As `startAuthentication` of @simplewebauthn/browser takes it. */
export const PasskeyRequest = z.object({
  challenge: z.string(),
  timeout: z.number().int().optional(),
  rpId: z.string().optional(),
  allowCredentials: z.array(KnownCredential).optional(),
  userVerification: z.enum(['required', 'preferred', 'discouraged']).optional(),
});
export type PasskeyRequest = z.infer<typeof PasskeyRequest>;

/** As `startRegistration` takes it. */
export const PasskeyCreation = z.object({
  rp: z.object({ id: z.string().optional(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.number().int(), type: z.literal('public-key') })),
  timeout: z.number().int().optional(),
  excludeCredentials: z.array(KnownCredential).optional(),
  authenticatorSelection: z
    .object({
      residentKey: z.enum(['required', 'preferred', 'discouraged']).optional(),
      requireResidentKey: z.boolean().optional(),
      userVerification: z.enum(['required', 'preferred', 'discouraged']).optional(),
    })
    .optional(),
  attestation: z.enum(['none', 'indirect', 'direct', 'enterprise']).optional(),
});
export type PasskeyCreation = z.infer<typeof PasskeyCreation>;

const credential = {
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).nullish(),
  // Nothing of it is read.
  clientExtensionResults: z.unknown().optional(),
};

/** What `startAuthentication` gives. */
export const PasskeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Bytes(4000),
    authenticatorData: Bytes(4000),
    signature: Bytes(2000),
    userHandle: Bytes(100).nullish(),
  }),
});

/** What `startRegistration` gives. */
export const PasskeyAttestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Bytes(4000),
    attestationObject: Bytes(20_000),
    // A browser may know of ways that we do not: they are left out, not refused.
    transports: z.array(z.string().max(40)).max(20).optional(),
  }),
});

const onlyOne = 'Show one of them: a code, a recovery code or a passkey.';

/** One of the three. */
export const ShownFactor = z
  .strictObject({
    code: Totp.optional(),
    recoverycode: RecoveryCode.optional(),
    passkey: PasskeyAssertion.optional(),
  })
  .refine((shown) => Object.values(shown).filter((part) => part !== undefined).length === 1, onlyOne);

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
export const PasskeyName = z
  .string()
  .trim()
  .normalize('NFC')
  .min(1, 'Give the passkey a name.')
  .max(50, 'Use at most 50 characters.')
  .refine((name) => !unseen.test(name), 'This name holds a character that cannot be seen. Type it anew.');

const Message = z.object({ message: z.string() });
const SteppedUp = z.object({
  steppedupuntil: z.string().describe('until when this session need not show it again'),
});
const NewCodes = z
  .array(z.string())
  .nullable()
  .describe('with the first factor: the recovery codes, told this once; else null');

export const Passkey = z.object({
  _id: z.string(),
  name: z.string(),
  backedup: z.boolean().describe('kept by its provider and on more than one device'),
  createdat: z.string(),
  usedat: z.string().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

export const Factors = z.object({
  authenticator: z.object({ createdat: z.string(), usedat: z.string().nullable() }).nullable(),
  passkey: z.array(Passkey),
  recoverycodesleft: z.number().int(),
  stepupabove: z
    .number()
    .describe(
      'with a factor on, a withdrawal asks for step-up when more than this is on its way out with it; 0: every one',
    ),
  ways: z.array(z.enum(factorWays)).describe('how this account steps up'),
  steppedupuntil: z.string().nullable(),
});
export type Factors = z.infer<typeof Factors>;

/** Public: the second step of a sign-in, in the browser that showed the password, and the passkey alone. */

export const secondfactor = defineCall('POST', '/api/users/secondfactor', {
  summary: 'Finish a sign-in that was answered with second_factor_required; answers what signin does',
  body: ShownFactor,
  answer: Session,
  refusals: ['factor_wrong', 'flow_over'],
});

export const secondfactoroptions = defineCall('POST', '/api/users/secondfactor/options', {
  summary: 'What to ask this account’s passkeys for, as the second step of a sign-in',
  answer: PasskeyRequest,
  refusals: ['flow_over'],
});

export const passkeysigninoptions = defineCall('POST', '/api/users/passkeysignin/options', {
  summary: 'What to ask any passkey of this site for, to sign in without an e-mail address',
  answer: PasskeyRequest,
});

export const passkeysignin = defineCall('POST', '/api/users/passkeysignin', {
  summary: 'Begin a session with a passkey alone; answers what signin does',
  body: z.strictObject({ passkey: PasskeyAssertion }),
  answer: Session,
  refusals: ['factor_wrong', 'flow_over'],
});

/** Signed in. */

export const factors = defineCall('GET', '/api/users/factors', {
  summary: 'Which second factors are on',
  answer: Factors,
});

export const stepup = defineCall('POST', '/api/users/stepup', {
  summary: `Show a factor again: this session may do what asks for it, for ${stepUpMinutes} minutes`,
  body: ShownFactor,
  answer: SteppedUp,
  refusals: ['factor_wrong', 'flow_over'],
});

export const stepupoptions = defineCall('POST', '/api/users/stepup/options', {
  summary: 'What to ask this account’s passkeys for, to step up',
  answer: PasskeyRequest,
  refusals: ['not_found'],
});

export const stepupmail = defineCall('POST', '/api/users/stepup/mail', {
  summary: 'Where no factor is on: mail a link that steps up the session that asked',
  answer: Message,
  refusals: ['step_up_required'],
});

export const stepuplink = defineCall('POST', '/api/users/stepup/link', {
  summary: 'Open the mailed link, in the session that asked for it',
  body: z.strictObject({ token: z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'This link is not complete.') }),
  answer: SteppedUp,
  refusals: ['link_wrong'],
});

export const newauthenticator = defineCall('POST', '/api/users/newauthenticator', {
  summary: 'Begin to add an authenticator, or to replace the one there is; it counts once its code was shown',
  answer: Enrolment,
  refusals: ['step_up_required'],
});

export const confirmauthenticator = defineCall('POST', '/api/users/confirmauthenticator', {
  summary: 'Show the first code of the new authenticator',
  body: z.strictObject({ code: Totp }),
  answer: z.object({ recoverycodes: NewCodes }),
  refusals: ['step_up_required', 'factor_wrong', 'flow_over'],
});

export const removeauthenticator = defineCall('POST', '/api/users/removeauthenticator', {
  summary: 'Remove the authenticator',
  answer: Message,
  refusals: ['step_up_required', 'not_found'],
});

export const newpasskey = defineCall('POST', '/api/users/newpasskey', {
  summary: 'What to make a new passkey with',
  answer: PasskeyCreation,
  refusals: ['step_up_required', 'outside_range'],
});

export const confirmpasskey = defineCall('POST', '/api/users/confirmpasskey', {
  summary: 'Add the passkey that was made',
  body: z.strictObject({ name: PasskeyName, passkey: PasskeyAttestation }),
  answer: z.object({ passkey: Passkey, recoverycodes: NewCodes }),
  refusals: ['step_up_required', 'factor_wrong', 'flow_over', 'outside_range'],
});

const passkeyParams = z.object({ passkeyid: idOr('This passkey id is not valid.') });

export const namepasskey = defineCall('POST', '/api/users/namepasskey/:passkeyid', {
  summary: 'Give a passkey another name',
  params: passkeyParams,
  body: z.strictObject({ name: PasskeyName }),
  answer: z.object({ passkey: Passkey }),
  refusals: ['not_found'],
});

export const removepasskey = defineCall('POST', '/api/users/removepasskey/:passkeyid', {
  summary: 'Remove a passkey',
  params: passkeyParams,
  answer: Message,
  refusals: ['step_up_required', 'not_found'],
});

export const newrecoverycodes = defineCall('POST', '/api/users/newrecoverycodes', {
  summary: 'Make new recovery codes, told this once; the older ones stop working',
  answer: z.object({ recoverycodes: z.array(z.string()) }),
  refusals: ['step_up_required', 'not_found'],
});

export const stepupabove = defineCall('POST', '/api/users/stepupabove', {
  summary:
    'With a factor on: above which amount on its way out a withdrawal asks for step-up; raising it does, too',
  body: z.strictObject({ amount: HeldAmount }),
  answer: z.object({ stepupabove: z.number() }),
  refusals: ['step_up_required', 'not_found'],
});
