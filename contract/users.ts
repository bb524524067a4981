import { z } from 'zod';
import { defineCall } from './call.ts';
import { Fullname } from './fullname.ts';
import { idOr } from './id.ts';

export const passwordLengthMin = 8;
const passwordLengthMax = 128;
export const codeLength = 4;
/** How long a person waits before another code may be asked for. */
export const resendDelaySeconds = 60;

const emailShape =
  /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}.]+(\.[^\s@<>()[\]\\,;:"\p{Cc}.]+)+$/u;

/** Letters of any script are welcome: mail goes to what was typed, only the comparison is folded. */
const EmailText = z
  .string()
  .trim()
  .normalize('NFC')
  .min(1, 'Enter your e-mail address.')
  .max(254, 'This e-mail address is too long.')
  .regex(emailShape, 'Enter an e-mail address like name@example.com.');

const isPlain = (email: string) => email === email.normalize('NFKC') && !email.includes('\u3002');
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
/** What would be decoded, cut off or left out where a domain is compared, and so make two domains one. */
const isOwnDomain = (email: string) => {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return !/[%#/?]/.test(domain) && !unseen.test(domain);
};

/**
 * For an address by which an account is looked up. One mailbox has one spelling: whatever folding would turn into
 * another address is refused instead.
 */
export const PresentedEmail = EmailText.refine(
  isPlain,
  'Write the e-mail address in plain letters, without wide, circled or joined ones.',
).refine(isOwnDomain, 'Write the part after the @ with letters, digits, hyphens and dots only.');

/** For an address that is given for the first time. */
export const Email = PresentedEmail.refine(
  (email) => !email.includes('%'),
  'An e-mail address with a % sign cannot be used.',
).refine(
  (email) => !unseen.test(email),
  'This e-mail address holds a character that cannot be seen. Type it anew.',
);

/** For a password that is being chosen. Length is counted in characters as people see them, not in UTF-16 units. */
export const NewPassword = z
  .string()
  .max(passwordLengthMax * 4, `Use at most ${passwordLengthMax} characters.`)
  .refine((value) => [...value].length >= passwordLengthMin, `Use at least ${passwordLengthMin} characters.`)
  .refine((value) => [...value].length <= passwordLengthMax, `Use at most ${passwordLengthMax} characters.`);

/** For a password that is being checked: any text that could ever have been chosen, refused later if wrong. */
export const PresentedPassword = z
  .string()
  .min(1, 'Enter your password.')
  .max(passwordLengthMax * 4, 'This password is too long.');

export const Code = z.string().regex(/^[0-9]{4}$/, 'Enter the four digits of the code.');

const LinkToken = z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'This link is not complete.');
const UserId = idOr('This user id is not valid.');
/** The specified forms always send it; it is read by nobody and gives nothing. */
const isAdmin = z.boolean().optional();

const Message = z.object({ message: z.string() });
const Person = z.object({
  _id: z.string(),
  fullname: z.string().describe('empty when it has to be asked for: see editprofile'),
  email: z.string(),
});
const Profile = Person.extend({
  newaddressesafter: z
    .string()
    .nullable()
    .describe('after a password reset: until when withdrawals go only to addresses that were paid before'),
});

export const Session = Person.extend({ token: z.string() });
export type Session = z.infer<typeof Session>;

export const register = defineCall('POST', '/api/users/register', {
  summary: 'Create an account; a four-digit code is mailed to activate it',
  body: z.object({ fullname: Fullname, email: Email, password: NewPassword, isAdmin }),
  answer: z.object({ userid: z.string() }),
  refusals: ['weak_password', 'email_exists', 'busy'],
});

export const verifycode = defineCall('POST', '/api/users/verifycode/:userid', {
  summary: 'Activate an account with the mailed code',
  params: z.object({ userid: UserId }),
  body: z.object({ code: Code }),
  answer: Message,
  refusals: ['code_wrong', 'code_locked'],
});

export const verifylink = defineCall('POST', '/api/users/verifylink', {
  summary: 'Activate an account with the long link of the same e-mail',
  body: z.object({ token: LinkToken }),
  answer: Message,
  refusals: ['link_wrong'],
});

const codePurposes = ['verify', 'reset'] as const;
export type CodePurpose = (typeof codePurposes)[number];

export const resend = defineCall('POST', '/api/users/resend/:userid', {
  summary: 'Mail a fresh code, at most one a minute; the older code stops working',
  params: z.object({ userid: UserId }),
  body: z.object({ purpose: z.enum(codePurposes).default('verify') }),
  answer: Message,
  refusals: ['not_found', 'already_verified', 'reset_not_begun'],
});

export const signin = defineCall('POST', '/api/users/signin', {
  summary: 'Begin a session: a bearer token in the answer and a cookie beside it',
  body: z.object({ email: PresentedEmail, password: PresentedPassword, isAdmin }),
  answer: Session,
  refusals: ['wrong_credentials', 'email_unverified', 'second_factor_required', 'busy'],
});

export const signout = defineCall('POST', '/api/users/signout', {
  summary: 'End this session on the server',
  answer: Message,
});

export const forgotpassword = defineCall('POST', '/api/users/forgotpassword', {
  summary: 'Begin a password reset; it is bound to the browser that asked',
  body: z.object({ email: PresentedEmail }),
  answer: z.object({ userid: z.string() }),
  refusals: ['email_unknown'],
});

export const verifyforgortpasscode = defineCall('POST', '/api/users/verifyforgortpasscode', {
  summary: 'Show the mailed code in the browser that began the reset',
  body: z.object({ code: Code }),
  answer: Message,
  refusals: ['code_wrong', 'code_locked', 'reset_not_begun'],
});

export const resetlink = defineCall('POST', '/api/users/resetlink', {
  summary: 'Begin a verified reset in this browser with the long link of the e-mail',
  body: z.object({ token: LinkToken }),
  answer: z.object({ userid: z.string() }),
  refusals: ['link_wrong'],
});

export const updatepassword = defineCall('PATCH', '/api/users/updatepassword/:userid', {
  summary: 'Set the new password at the end of a reset; every session ends',
  params: z.object({ userid: UserId }),
  body: z.object({ password: z.string().max(1024), cpassword: z.string().max(1024) }),
  answer: Message,
  refusals: ['not_found', 'reset_not_begun', 'passwords_differ', 'new_password_refused', 'busy'],
});

export const viewprofile = defineCall('GET', '/api/users/viewprofile', {
  summary: 'Who is signed in',
  answer: Profile,
});

export const editprofile = defineCall('POST', '/api/users/editprofile', {
  summary: 'Change the full name; the e-mail address is read-only',
  body: z.object({ fullname: Fullname, email: EmailText.optional() }),
  answer: Profile,
  refusals: ['email_read_only'],
});

export const changepassword = defineCall('POST', '/api/users/changepassword', {
  summary: 'Change the password; every other session ends',
  body: z.object({ password: PresentedPassword, passwordnew: z.string().max(1024) }),
  answer: Message,
  refusals: ['step_up_required', 'old_password_wrong', 'new_password_refused', 'busy'],
});

export const Device = z.object({
  _id: z.string(),
  current: z.boolean().describe('the device that asks'),
  useragent: z.string(),
  address: z.string().describe('where the latest sign-in came from'),
  firstseenat: z.string().describe('when this account was first signed in on it'),
  signedinat: z.string(),
  seenat: z.string(),
});
export type Device = z.infer<typeof Device>;

export const devices = defineCall('GET', '/api/users/devices', {
  summary: 'Where this account is signed in, the most recently used first',
  answer: z.object({ device: z.array(Device) }),
});

export const signoutdevice = defineCall('POST', '/api/users/signoutdevice/:deviceid', {
  summary: 'Sign out another device',
  params: z.object({ deviceid: idOr('This device id is not valid.') }),
  answer: Message,
  refusals: ['not_found'],
});

export const signoutothers = defineCall('POST', '/api/users/signoutothers', {
  summary: 'Sign out every device but this one',
  answer: Message,
});
