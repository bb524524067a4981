import { type SwitchableTopic, switchableTopics, type Topic } from '@tallystick/contract/notices';
import type { Letter } from '../mail/service.ts';

/**
 * What each letter is about; null for those that are no news to look up later: they carry a code or a link to act with, or
 * go to the house. A new kind of letter does not compile before it has its place here.
 */
export const topicOf: Record<Letter['kind'], Topic | null> = {
  'activation-code': null,
  // Anybody can ask for one: strangers must not be able to fill the list.
  'reset-code': null,
  'step-up-link': null,
  'contact-message': null,
  // There is nobody left to look it up.
  'account-closed': null,
  'operator-factor-changed': null,
  'password-changed': 'security',
  'new-device': 'security',
  'factor-added': 'security',
  'factor-removed': 'security',
  'recovery-codes-new': 'security',
  'recovery-code-used': 'security',
  'factor-removal-begun': 'security',
  'factor-removal-stopped': 'security',
  'factors-removed': 'security',
  'address-saved': 'addresses',
  'protection-on': 'addresses',
  'protection-ending': 'addresses',
  'protection-off': 'addresses',
  'change-stopped': 'addresses',
  'data-downloaded': 'security',
  'deposit-requested': 'deposits',
  'deposit-seen': 'deposits',
  'deposit-confirmed': 'deposits',
  'deposit-rejected': 'deposits',
  'investment-opened': 'investments',
  'investment-matured': 'investments',
  'investment-reinvested': 'investments',
  // What was told in it is what is invested on.
  'maturity-told': 'terms',
  // Cannot be taken back, and costs.
  'investment-left': 'terms',
  'withdrawal-requested': 'withdrawals',
  'withdrawal-approved': 'withdrawals',
  'withdrawal-paid': 'withdrawals',
  'withdrawal-rejected': 'withdrawals',
  'withdrawal-cancelled': 'withdrawals',
  // May take from the wallet.
  'correction-posted': 'withdrawals',
};

/** Of a stored one, which a newer server may have written. */
export const topicOfKind = (kind: string): Topic =>
  (topicOf as Record<string, Topic | null>)[kind] ?? 'security';

export const isSwitchable = (topic: Topic | null): topic is SwitchableTopic =>
  switchableTopics.some((one) => one === topic);

/** What a letter is about, where that has a number. */
export const numberIn = (letter: Letter): string | null =>
  'transactionid' in letter ? letter.transactionid : null;
