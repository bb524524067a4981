import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import addressparser from 'nodemailer/lib/addressparser';
import { z } from 'zod';
import * as account from './letters/account.ts';
import * as addresses from './letters/addresses.ts';
import { ContactMessageLetter, contactMessage } from './letters/contact-message.ts';
import { CorrectionPosted, correctionPosted } from './letters/correction.ts';
import * as deposits from './letters/deposits.ts';
import * as factors from './letters/factors.ts';
import { renderHtml } from './letters/frame.ts';
import * as investments from './letters/investments.ts';
import type { Content, Site } from './letters/letter.ts';
import { OperatorFactorChanged, operatorFactorChanged } from './letters/operator-factors.ts';
import { renderText } from './letters/plain-text.ts';
import * as removals from './letters/removals.ts';
import * as withdrawals from './letters/withdrawals.ts';
import { oneLine } from './letters/wording.ts';

/** Every letter there is. A new one has its line here and its words in `letters/`, which the compiler asks for. */
export const Letter = z.discriminatedUnion('kind', [
  account.ActivationCode,
  account.ResetCode,
  account.PasswordChanged,
  account.NewDevice,
  account.DataDownloaded,
  account.AccountClosed,
  factors.StepUpLink,
  factors.FactorAdded,
  factors.FactorRemoved,
  factors.RecoveryCodesNew,
  factors.RecoveryCodeUsed,
  removals.RemovalBegun,
  removals.RemovalStopped,
  removals.FactorsRemoved,
  OperatorFactorChanged,
  addresses.AddressSaved,
  addresses.ProtectionOn,
  addresses.ProtectionEnding,
  addresses.ProtectionOff,
  addresses.ChangeStopped,
  deposits.DepositRequested,
  deposits.DepositSeen,
  deposits.DepositConfirmed,
  deposits.DepositRejected,
  investments.InvestmentOpened,
  investments.InvestmentMatured,
  investments.InvestmentReinvested,
  investments.MaturityTold,
  investments.InvestmentLeft,
  withdrawals.WithdrawalRequested,
  withdrawals.WithdrawalApproved,
  withdrawals.WithdrawalPaid,
  withdrawals.WithdrawalRejected,
  withdrawals.WithdrawalCancelled,
  CorrectionPosted,
  ContactMessageLetter,
]);
export type Letter = z.infer<typeof Letter>;

/** The words of each. */
const composers: {
  [Kind in Letter['kind']]: (letter: Extract<Letter, { kind: Kind }>, site: Site) => Content;
} = {
  'activation-code': account.activationCode,
  'reset-code': account.resetCode,
  'password-changed': account.passwordChanged,
  'new-device': account.newDevice,
  'data-downloaded': account.dataDownloaded,
  'account-closed': account.accountClosed,
  'step-up-link': factors.stepUpLink,
  'factor-added': factors.factorAdded,
  'factor-removed': factors.factorRemoved,
  'recovery-codes-new': factors.recoveryCodesNew,
  'recovery-code-used': factors.recoveryCodeUsed,
  'factor-removal-begun': removals.removalBegun,
  'factor-removal-stopped': removals.removalStopped,
  'factors-removed': removals.factorsRemoved,
  'operator-factor-changed': operatorFactorChanged,
  'address-saved': addresses.addressSaved,
  'protection-on': addresses.protectionOn,
  'protection-ending': addresses.protectionEnding,
  'protection-off': addresses.protectionOff,
  'change-stopped': addresses.changeStopped,
  'deposit-requested': deposits.depositRequested,
  'deposit-seen': deposits.depositSeen,
  'deposit-confirmed': deposits.depositConfirmed,
  'deposit-rejected': deposits.depositRejected,
  'investment-opened': investments.investmentOpened,
  'investment-matured': investments.investmentMatured,
  'investment-reinvested': investments.investmentReinvested,
  'maturity-told': investments.maturityTold,
  'investment-left': investments.investmentLeft,
  'withdrawal-requested': withdrawals.withdrawalRequested,
  'withdrawal-approved': withdrawals.withdrawalApproved,
  'withdrawal-paid': withdrawals.withdrawalPaid,
  'withdrawal-rejected': withdrawals.withdrawalRejected,
  'withdrawal-cancelled': withdrawals.withdrawalCancelled,
  'correction-posted': correctionPosted,
  'contact-message': contactMessage,
};

function compose(letter: Letter, site: Site): Content {
  // The compiler does not see that both come from the same kind.
  const words = composers[letter.kind] as (letter: Letter, site: Site) => Content;
  return words(letter, site);
}

export function renderLetter(letter: Letter, site: Site): { subject: string; html: string; text: string } {
  const content = compose(letter, site);
  return {
    subject: oneLine(content.subject, 200),
    html: renderHtml(content, site),
    text: renderText(content, site),
  };
}

/** All of a letter that is seen before it is opened, for a list of what was told. */
export function headOf(letter: Letter, site: Site): { title: string; line: string } {
  const { subject, preview } = compose(letter, site);
  return { title: oneLine(subject, 200), line: oneLine(preview, 300) };
}

const Mailbox = z.object({ name: z.string(), address: z.string().min(3).max(254) });

/** What lies sealed in a job. Checked again when it is opened: an older version of the server may have written it. */
export const QueuedMail = z.object({
  to: Mailbox,
  /** Whom an answer goes to; support, unless it is someone else's letter that we pass on. */
  replyTo: Mailbox.optional(),
  letter: Letter,
  /** After this instant the letter is of no use to anyone and is not sent. */
  notAfter: z.iso.datetime().optional(),
});
export type QueuedMail = z.infer<typeof QueuedMail>;

export type Recipient = QueuedMail['to'];

/** A mailbox whose parts cannot begin a second header line. */
export function headerSafe({ name, address }: Recipient): Recipient {
  if (/[\s\p{Cc}<>,;]/u.test(address)) throw new Error('This cannot be a mail address.');
  return { name: oneLine(name), address };
}

/** Reads MAIL_FROM, for example `Tallystick <no-reply@example.com>`. */
export function readSender(from: string, nameIfNone: string): Recipient {
  const [sender, ...others] = addressparser(from);
  if (!sender?.address?.includes('@') || others.length > 0) {
    throw new Error(`MAIL_FROM must be one address like 'Name <name@example.com>', not '${from}'.`);
  }
  return headerSafe({ name: sender.name || nameIfNone, address: sender.address });
}

/**
 * The same for every try of one job, so that a rare second delivery can be recognised. The sealed payload is part of it
 * because a restored database counts its jobs from an older number, and mailboxes drop what looks like a repetition.
 */
export function messageIdOf(job: { jobId: string; sealed: string }, senderAddress: string): string {
  const digest = createHash('sha256').update(job.sealed).digest('hex').slice(0, 16);
  const domain = senderAddress.slice(senderAddress.lastIndexOf('@') + 1);
  return `<${job.jobId.replace(/[^A-Za-z0-9-]/g, '')}.${digest}@${domainToASCII(domain)}>`;
}
