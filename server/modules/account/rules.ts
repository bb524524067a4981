import { type Cents, formatUsd, toDecimal, toWire } from '@tallystick/contract/money';
import { withdrawalCentsMin } from '@tallystick/contract/withdrawal';
import { type Refusal, refuse } from '../../platform/app-error.ts';

/** What an account has, and what is on its way to it. */
export interface Left {
  walletCents: Cents;
  investedCents: Cents;
  withdrawingCents: Cents;
  /** Announced, or seen on a network, and not credited. */
  deposits: number;
  /** Asked for by one operator. */
  corrections: number;
  /** Withdrawals are paused: of this account, or all. */
  frozen: boolean;
}

/** What no withdrawal is small enough for: closing leaves it to the house, if its owner says so to the cent. */
export const leavable = ({ walletCents }: Pick<Left, 'walletCents'>): Cents =>
  walletCents < withdrawalCentsMin ? walletCents : 0n;

/** What is in the way, in the order in which its owner would clear it. */
function hindrances(left: Left): string[] {
  const counted = (count: number, one: string, more: string) => (count === 1 ? one : `${count} ${more}`);
  return [
    left.walletCents >= withdrawalCentsMin && `${formatUsd(left.walletCents)} is in the wallet`,
    left.investedCents > 0n && `${formatUsd(left.investedCents)} is invested`,
    left.withdrawingCents > 0n && `${formatUsd(left.withdrawingCents)} is being withdrawn`,
    left.deposits > 0 && `${counted(left.deposits, 'a deposit', 'deposits')} under way`,
    left.corrections > 0 && `${counted(left.corrections, 'a correction', 'corrections')} not decided`,
  ].filter((each) => each !== false);
}

const paused = refuse(
  'withdrawals_frozen',
  'Withdrawals are paused, so the account cannot be closed now. Please write to support.',
);

export const isReady = (left: Left) => !left.frozen && hindrances(left).length === 0;

/** Why an account is not closed; null when it may be. */
export function closingRefusal(left: Left, leaveCents: Cents): Refusal | null {
  if (left.frozen) return paused;
  const what = hindrances(left);
  if (what.length > 0)
    return refuse('account_not_empty', `The account is not empty yet: ${what.join(', ')}.`);
  if (leavable(left) === leaveCents) return null;
  const text = `The wallet holds ${formatUsd(left.walletCents)} by now. Nothing has happened: look at it again.`;
  return refuse('terms_changed', text);
}

export type Value = string | number | bigint | boolean | Date | Buffer | null;
export type Row = Record<string, Value>;

/** Columns of money end in this in a query, and lose it in a file. */
const centsSuffix = /Cents$/;

export const columnName = (column: string) => column.replace(centsSuffix, '');

/** As a spreadsheet has it. */
export function csvValue(column: string, value: Value | undefined): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return centsSuffix.test(column) ? toDecimal(value) : String(value);
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return value.toString('hex');
  return typeof value === 'boolean' ? String(value) : value;
}

/** As a program has it: amounts are numbers of dollars, as everywhere in the API. */
export function jsonValue(column: string, value: Value | undefined): string | number | boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'bigint' && centsSuffix.test(column)) return toWire(value);
  return csvValue(column, value);
}

interface Described {
  name: string;
  about: string;
}

/** For whoever opens the zip years later and has nothing else. */
export function readme(input: { parts: Described[]; email: string; siteName: string; at: Date }): string {
  const { parts, email, siteName, at } = input;
  const files = parts.map(({ name, about }) => `${name}.json, ${name}.csv\n    ${about}`);
  return `Everything ${siteName} holds about the account of ${email}
As of ${at.toISOString()}: all files show the same moment.

Each part is there twice, with the same rows: as JSON for programs and as CSV for spreadsheets. Times are in UTC, amounts in
dollars. In the CSV files a text that a spreadsheet would take for a formula begins with an apostrophe.

${files.join('\n\n')}

What is not in here, and why

- Your password, the secrets of your authenticator and passkeys, and recovery codes: we hold no password and no recovery
  code, only a fingerprint of each that cannot be turned back, and whoever finds this file must not get in with it.
- The letters that we have sent: we keep of them what the bell shows, which is in here. Your mailbox has the rest.
- Which operator did something: their names are theirs. The security log says that an operator did it.
- Notes and amounts of other people: nothing here is about anybody but you. Messages are those that somebody has sent to
  support with your e-mail address.
- Signed account statements and the proofs of what we owed you: you find them under Transactions and under My proof. The
  statements of the books that counted you are named here, so that you know for which days there is a proof.
`;
}
