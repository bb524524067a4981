import type { Site } from '../modules/mail/letters/letter.ts';
import type { Letter } from '../modules/mail/rules.ts';

export const letterSite: Site = {
  name: 'Tallystick',
  address: 'Sample House, 1 Example Street, London',
  supportEmail: 'support@example.com',
  sample: true,
  siteUrl: 'https://tally.example',
};

const linkToken = 'A-Za_z0123456789abcdef';
const fullname = 'Amara Okonkwo';
const at = '2026-11-05T14:32:10.000Z';
const transactionid = 'TS-7K4M-9XQ2';
const chainTxid = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';
const client = {
  clientAddress: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
};
const movement = { fullname, at, transactionid };
const deposit = { ...movement, paymentname: 'Bitcoin', amountCents: '25050' };
const withdrawal = {
  ...movement,
  methodname: 'Bitcoin',
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  amountCents: '123456',
};
const investment = { ...movement, planname: 'Starter', amountCents: '150000', profitCents: '1200' };
/** In a plan that may be left early and invested in again. */
const standard = { ...investment, planname: 'Standard', amountCents: '200000', profitCents: '3800' };
const again = { planname: 'Standard', amountCents: '203800', profitCents: '3872', durationDays: 60 };

/** One of every letter to an investor, for tests and for `/dev/letters`. The contact form's goes to support, not to the person it names. */
export const letters = {
  'activation-code': { kind: 'activation-code', code: '0072', linkToken },
  'reset-code': { kind: 'reset-code', fullname, code: '0072', linkToken },
  'password-changed': { kind: 'password-changed', fullname, at, ...client },
  'new-device': { kind: 'new-device', fullname, at, ...client },
  'data-downloaded': { kind: 'data-downloaded', fullname, at, ...client },
  'account-closed': {
    kind: 'account-closed',
    fullname,
    at,
    ...client,
    keptUntil: '2026-12-05T14:32:10.000Z',
    leftCents: '37',
  },
  'step-up-link': { kind: 'step-up-link', fullname, linkToken },
  'factor-added': { kind: 'factor-added', fullname, at, ...client, factor: 'passkey', name: 'My phone' },
  'factor-removed': {
    kind: 'factor-removed',
    fullname,
    at,
    ...client,
    factor: 'authenticator',
    isLast: true,
  },
  'recovery-codes-new': { kind: 'recovery-codes-new', fullname, at, ...client },
  'recovery-code-used': { kind: 'recovery-code-used', fullname, at, ...client, use: 'sign-in', codesLeft: 9 },
  'factor-removal-begun': {
    kind: 'factor-removal-begun',
    fullname,
    dueAt: '2026-11-12T14:32:00.000Z',
    linkToken: 'Sx0aVb3kqJ7mWn2rYt5uQg',
    isReminder: false,
  },
  'factor-removal-stopped': { kind: 'factor-removal-stopped', fullname, at, how: 'stopped' },
  'factors-removed': {
    kind: 'factors-removed',
    fullname,
    at,
    newAddressesAfter: '2026-11-06T14:32:00.000Z',
  },
  'operator-factor-changed': {
    kind: 'operator-factor-changed',
    fullname,
    at,
    ...client,
    change: 'added',
    factor: 'passkey',
    passkey: 'Office key',
  },
  'address-saved': {
    kind: 'address-saved',
    fullname,
    at,
    ...client,
    linkToken,
    label: 'My hardware wallet',
    network: 'Bitcoin',
    address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    usableFrom: '2026-11-06T14:32:10.000Z',
  },
  'protection-on': { kind: 'protection-on', fullname, at, ...client },
  'protection-ending': {
    kind: 'protection-ending',
    fullname,
    at,
    ...client,
    linkToken,
    offFrom: '2026-11-06T14:32:10.000Z',
  },
  'protection-off': { kind: 'protection-off', fullname, at },
  'change-stopped': {
    kind: 'change-stopped',
    fullname,
    at,
    ...client,
    what: 'address',
    label: 'My hardware wallet',
    address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  },
  'deposit-requested': {
    kind: 'deposit-requested',
    ...deposit,
    network: 'Bitcoin test network',
    paymentaddress: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  },
  'deposit-seen': {
    kind: 'deposit-seen',
    ...deposit,
    network: 'Bitcoin',
    coins: '0.00251 BTC',
    needed: 2,
    chainTxid,
  },
  'deposit-confirmed': { kind: 'deposit-confirmed', ...deposit, receivedCents: '25050', chainTxid },
  'deposit-rejected': {
    kind: 'deposit-rejected',
    ...deposit,
    reason: 'No payment reached the address within seven days.',
  },
  'investment-opened': { kind: 'investment-opened', ...investment, maturesAt: '2026-12-05T14:32:10.000Z' },
  'investment-matured': { kind: 'investment-matured', ...investment },
  'investment-reinvested': {
    kind: 'investment-reinvested',
    ...standard,
    again: { ...again, transactionid: 'TS-QW8E-5RT7', maturesAt: '2027-01-04T14:32:10.000Z' },
  },
  'maturity-told': {
    kind: 'maturity-told',
    fullname,
    transactionid,
    planname: 'Standard',
    amountCents: '200000',
    profitCents: '3800',
    maturesAt: '2026-11-08T14:32:10.000Z',
    closesAt: '2026-11-08T13:32:10.000Z',
    again,
  },
  'investment-left': {
    kind: 'investment-left',
    ...standard,
    profitCents: '506',
    feeCents: '1000',
    paidCents: '199506',
  },
  'withdrawal-requested': { kind: 'withdrawal-requested', ...withdrawal },
  'withdrawal-approved': { kind: 'withdrawal-approved', ...withdrawal },
  'withdrawal-paid': { kind: 'withdrawal-paid', ...withdrawal, chainTxid },
  'withdrawal-rejected': {
    kind: 'withdrawal-rejected',
    ...withdrawal,
    reason: 'The address belongs to an exchange that is closed.',
  },
  'withdrawal-cancelled': { kind: 'withdrawal-cancelled', ...withdrawal },
  'correction-posted': {
    kind: 'correction-posted',
    ...movement,
    amountCents: '-1999',
    reason: 'A deposit was credited twice.',
  },
} satisfies { [Kind in Exclude<Letter['kind'], 'contact-message'>]: Extract<Letter, { kind: Kind }> };

export const contactLetter: Letter = {
  kind: 'contact-message',
  fullname,
  email: 'amara@example.com',
  message: 'How long does a deposit take?\n\nI sent one this morning.',
};
