import { formatUsd, roiToWire } from '@tallystick/contract/money';
import type { AuditRow } from '@tallystick/contract/operator/audit';
import { counted } from '../../domain/dates.ts';

/** Actions whose own words would not say it; the others do, `withdrawal.paid` as `Withdrawal paid`. */
const actions: Record<string, string> = {
  'account.closed': 'Account closed by its owner',
  'account.downloaded': 'Everything about the account downloaded',
  'account.email-forgotten': 'Address of a closed account forgotten',
  'address.named': 'Saved address renamed',
  'address.removed': 'Saved address removed',
  'address.saved': 'Withdrawal address saved',
  'address.stopped': 'New address taken away by the link of its letter',
  'address-protection.ending': 'Protection of addresses switched off, a day from then',
  'address-protection.kept': 'Protection of addresses kept on',
  'address-protection.off': 'Protection of addresses ended',
  'address-protection.on': 'Protection of addresses switched on',
  'bounds.agreed': 'Other bounds agreed to',
  'bounds.asked': 'Other bounds asked for',
  'bounds.dropped': 'Other bounds discarded',
  'code.budget-used-up': 'Too many wrong codes, entry closed for a while',
  'cold-address.asked': 'Cold address asked for',
  'cold-address.dropped': 'Change of a cold address discarded',
  'cold-address.listed': 'Cold address listed',
  'cold-address.removal-asked': 'Removal of a cold address asked for',
  'cold-address.removed': 'Cold address removed',
  'correction.asked': 'Correction asked for',
  'correction.dropped': 'Correction discarded',
  'factor.added': 'Second factor added',
  'factor.recovery-code-used': 'Recovery code used',
  'factor.recovery-codes-new': 'New recovery codes made',
  'factor.removal-agreed': 'Removal of all second factors agreed to',
  'factor.removal-asked': 'Removal of all second factors asked for',
  'factor.removal-discarded': 'Removal of all second factors discarded',
  'factor.removal-stopped': 'Removal of all second factors stopped by the investor',
  'factor.refused': 'Second factor refused',
  'factor.removed': 'Second factor removed',
  'factor.removed-by-operators': 'All second factors removed, as two operators agreed',
  'factor.sum-set': 'Sum above which a withdrawal asks for the second factor set',
  'funding.confirmation-dropped': 'First confirmation of a deposit dropped',
  'funding.confirmed': 'Deposit confirmed',
  'funding.confirmed-first': 'Deposit confirmed by the first of two',
  'funding.credited': 'Deposit credited by the network',
  'funding.rejected': 'Deposit rejected',
  'holding.entered': 'Held figure entered',
  'letters.switched-off': 'Letters switched off',
  'letters.switched-on': 'Letters switched on',
  'ledger.checked': 'Ledger check run by hand',
  'ledger.frozen': 'All withdrawals frozen by the ledger check',
  'ledger.unfrozen': 'All withdrawals unfrozen',
  'maturity.chosen': 'What happens at maturity chosen',
  'message.handled': 'Message marked as answered',
  'operator.authenticator-removed': 'Operator’s authenticator removed',
  'operator.code-refused': 'Operator’s code refused',
  'operator.enrolled': 'Authenticator enrolled',
  'operator.enrolment-begun': 'Authenticator set-up begun',
  'operator.factor-refused': 'Operator’s second factor refused',
  'operator.passkey-added': 'Operator’s passkey added',
  'operator.passkey-refused': 'Operator’s passkey refused',
  'operator.passkey-removed': 'Operator’s passkey removed',
  'operator.passkey-rolled-back':
    'Operator’s passkey refused: its counter went back, it may have been copied',
  'operator.password-set': 'Operator’s password set',
  'operator.refused': 'Operator’s sign-in refused',
  'operator.signed-in-by-passkey': 'Operator signed in with a passkey',
  'operator.signed-in-by-recovery-code': 'Operator signed in with a recovery code',
  'operator.totp-reset': 'Operator’s authenticator reset',
  'passkey.named': 'Passkey renamed',
  'passkey.rolled-back': 'Passkey refused: its counter went back, it may have been copied',
  'payment-address.agreed': 'Payment address confirmed',
  'payment-address.asked': 'Payment address asked for',
  'payment-address.dropped': 'Payment address discarded',
  'payment-address.signed': 'Signature of an address entered',
  'payment-method.set': 'Confirmations and least amount of a payment method set',
  'payout-sheet.kept': 'Payout sheet kept, not released',
  'payout-sheet.released-first': 'Payout sheet released by the first of two',
  'plan.asked': 'Plan beyond the bounds asked for',
  'plan.dropped': 'Plan beyond the bounds discarded',
  'plan.ordered': 'Plans put in order',
  'plan.replaced': 'New version of a plan',
  'session.begun': 'Signed in',
  'session.ended': 'Signed out',
  'session.ended-elsewhere': 'Another device signed out',
  'session.others-ended': 'All other devices signed out',
  'session.refused': 'Sign-in refused',
  'session.stepped-up': 'Confirmed once more',
  'surplus.ended': 'Coins that came through a contract looked into',
  'threshold.agreed': 'Higher threshold confirmed',
  'threshold.asked': 'Higher threshold asked for',
  'threshold.dropped': 'Higher threshold discarded',
  'user.registered': 'Account created',
  'user.verified': 'E-mail verified',
  'withdrawal.approved-first': 'Withdrawal approved by the first of two',
  'withdrawal.frozen': 'Investor’s withdrawals frozen',
  'withdrawal.paid-first': 'Withdrawal said to be paid by the first of two',
  'withdrawal.payment-dropped': 'What the first of two said of a payment dropped',
  'withdrawal.payment-vanished': 'Payment of a withdrawal gone with its block',
  'withdrawal.unfrozen': 'Investor’s withdrawals unfrozen',
  'withdrawal.unfrozen-first': 'Investor’s withdrawals unfrozen by the first of two',
};

/** What happened, in plain words. */
export function actionWords(action: string): string {
  return actions[action] ?? sentence(action.replaceAll(/[._-]+/g, ' '));
}

/** The same for an entry: that something was refused says little without why. */
export function whatWords({ action, details }: AuditRow): string {
  const why = action === 'request.refused' && typeof details.code === 'string' ? details.code : null;
  return why ? `${actionWords(action)}: ${why.replaceAll('_', ' ')}` : actionWords(action);
}

/** The beginnings of actions that belong together. */
export const actionGroups = [
  { value: '', name: 'All actions' },
  { value: 'funding.', name: 'Deposits' },
  { value: 'withdrawal.', name: 'Withdrawals' },
  { value: 'payout-sheet.', name: 'Payout sheets' },
  { value: 'correction.', name: 'Corrections' },
  { value: 'plan.', name: 'Plans' },
  { value: 'maturity.', name: 'Choices at maturity' },
  { value: 'payment-', name: 'Payment methods' },
  { value: 'withdrawal-method.', name: 'Withdrawal methods' },
  { value: 'cold-address.', name: 'Cold addresses' },
  { value: 'bounds.', name: 'Bounds' },
  { value: 'ledger.', name: 'Ledger' },
  { value: 'operator.', name: 'Operators' },
  { value: 'session.', name: 'Sign-ins' },
  { value: 'factor.', name: 'Second factors' },
  { value: 'passkey.', name: 'Passkeys' },
  { value: 'address', name: 'Saved addresses' },
  { value: 'letters.', name: 'Choices of letters' },
  { value: 'user.', name: 'Accounts' },
  { value: 'account.', name: 'Downloads and closings' },
  { value: 'password.', name: 'Passwords' },
  { value: 'code.', name: 'Codes' },
  { value: 'request.', name: 'Refused requests' },
] as const;

type ActorKind = AuditRow['actorkind'];

export const actorKinds: Record<ActorKind, string> = {
  nobody: 'Somebody not signed in',
  investor: 'Investor',
  operator: 'Operator',
  system: 'The system',
};

export function actorWords({ actorkind, actorname }: AuditRow): { name: string; kind: string | null } {
  const kind = actorKinds[actorkind];
  return actorname ? { name: actorname, kind } : { name: kind, kind: null };
}

const ofInvestors =
  /^(account|address|address-protection|code|correction|factor|funding|investor|letters|passkey|password|profile|session|user|withdrawal)\./;

/** The account that an entry is about, where it is about one. */
export function investorOf({ action, subjectid }: AuditRow): string | null {
  return subjectid !== null && ofInvestors.test(action) ? subjectid : null;
}

/** What an entry is about, by name where one is known: people have theirs, plans and methods are named in the details. */
export function subjectWords({ subjectname, subjectid, details }: AuditRow): string | null {
  const named = subjectname ?? details.planname ?? details.paymentname ?? details.methodname ?? details.label;
  return typeof named === 'string' ? named : subjectid && shortId(subjectid);
}

const detailNames: Record<string, string> = {
  transactionid: 'Transaction ID',
  chainTxid: 'Transaction ID on the network',
  chaintransactionid: 'Transaction ID on the network',
  planname: 'Plan name',
  paymentname: 'Payment method',
  paymentaddress: 'Payment address',
  methodname: 'Withdrawal method',
  roiPoints: 'ROI for the term',
  durationDays: 'Duration',
  reinvestable: 'May be invested again',
  exitFromDay: 'Can be left early from day',
  exitKeepsPoints: 'Who leaves keeps of the profit',
  exitFeePoints: 'Fee for leaving',
  ids: 'Order',
  because: 'Why two',
  chainThresholdCents: 'Threshold for what a chain shows',
  planPointsPerDayMax: 'Plan’s return',
  planDaysMin: 'Plan’s shortest term',
  planDaysMax: 'Plan’s longest term',
  planCentsMax: 'Plan’s largest amount',
};

/** Money is kept in cents, as text, because a float must not hold it. */
const inCents = /^(.*?)_?[Cc]ents(?:Max)?$/;
const inPoints = new Set(['roiPoints', 'exitKeepsPoints', 'exitFeePoints']);
const inDays = new Set(['durationDays', 'planDaysMin', 'planDaysMax']);
const wholeNumber = /^-?\d+$/;

type Detail = AuditRow['details'][string];

/** What is known beside who, what and whom. Empty values say nothing and are left out. */
export function detailsOf({ details, subjectid, actorid }: AuditRow): { name: string; value: string }[] {
  const ids = [
    ...(subjectid ? [{ name: 'ID of what it is about', value: subjectid }] : []),
    ...(actorid ? [{ name: 'ID of who did it', value: actorid }] : []),
  ];
  const told = Object.entries(details).flatMap(([key, value]) => {
    const text = detailText(key, value);
    return text === null ? [] : [{ name: detailName(key), value: text }];
  });
  return [...told, ...ids];
}

/** The head of an id, enough to tell two lines apart; the whole of it stands in the details. */
export function shortId(id: string): string {
  return id.length > 12 ? `${id.slice(0, 8)}…` : id;
}

function detailName(key: string): string {
  const known = detailNames[key];
  if (known) return known;
  const base = inCents.exec(key)?.[1] || key;
  return sentence(
    base
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll(/[._-]+/g, ' ')
      .toLowerCase(),
  );
}

function detailText(key: string, value: Detail): string | null {
  if (value === null || value === '') return null;
  if (inCents.test(key) && wholeNumber.test(String(value))) return formatUsd(BigInt(String(value)));
  if (inPoints.has(key) && typeof value === 'number') return `${roiToWire(value)}%`;
  if (key === 'planPointsPerDayMax' && typeof value === 'number') return `${roiToWire(value)}% a day`;
  if (inDays.has(key) && typeof value === 'number') return counted(value, 'day');
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value) && value.every((part) => typeof part !== 'object'))
    return value.join(', ') || null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
