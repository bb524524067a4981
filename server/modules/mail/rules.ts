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

function compose(letter: Letter, site: Site): Content {
  switch (letter.kind) {
    case 'activation-code':
      return account.activationCode(letter, site);
    case 'reset-code':
      return account.resetCode(letter, site);
    case 'password-changed':
      return account.passwordChanged(letter, site);
    case 'new-device':
      return account.newDevice(letter, site);
    case 'data-downloaded':
      return account.dataDownloaded(letter, site);
    case 'account-closed':
      return account.accountClosed(letter, site);
    case 'step-up-link':
      return factors.stepUpLink(letter, site);
    case 'factor-added':
      return factors.factorAdded(letter, site);
    case 'factor-removed':
      return factors.factorRemoved(letter, site);
    case 'recovery-codes-new':
      return factors.recoveryCodesNew(letter, site);
    case 'recovery-code-used':
      return factors.recoveryCodeUsed(letter, site);
    case 'factor-removal-begun':
      return removals.removalBegun(letter, site);
    case 'factor-removal-stopped':
      return removals.removalStopped(letter, site);
    case 'factors-removed':
      return removals.factorsRemoved(letter, site);
    case 'operator-factor-changed':
      return operatorFactorChanged(letter, site);
    case 'address-saved':
      return addresses.addressSaved(letter, site);
    case 'protection-on':
      return addresses.protectionOn(letter, site);
    case 'protection-ending':
      return addresses.protectionEnding(letter, site);
    case 'protection-off':
      return addresses.protectionOff(letter, site);
    case 'change-stopped':
      return addresses.changeStopped(letter, site);
    case 'deposit-requested':
      return deposits.depositRequested(letter, site);
    case 'deposit-seen':
      return deposits.depositSeen(letter, site);
    case 'deposit-confirmed':
      return deposits.depositConfirmed(letter, site);
    case 'deposit-rejected':
      return deposits.depositRejected(letter, site);
    case 'investment-opened':
      return investments.investmentOpened(letter, site);
    case 'investment-matured':
      return investments.investmentMatured(letter, site);
    case 'investment-reinvested':
      return investments.investmentReinvested(letter, site);
    case 'maturity-told':
      return investments.maturityTold(letter, site);
    case 'investment-left':
      return investments.investmentLeft(letter, site);
    case 'withdrawal-requested':
      return withdrawals.withdrawalRequested(letter, site);
    case 'withdrawal-approved':
      return withdrawals.withdrawalApproved(letter, site);
    case 'withdrawal-paid':
      return withdrawals.withdrawalPaid(letter, site);
    case 'withdrawal-rejected':
      return withdrawals.withdrawalRejected(letter, site);
    case 'withdrawal-cancelled':
      return withdrawals.withdrawalCancelled(letter, site);
    case 'correction-posted':
      return correctionPosted(letter, site);
    case 'contact-message':
      return contactMessage(letter, site);
  }
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
