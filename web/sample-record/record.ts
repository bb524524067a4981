import { formatUsd } from '@tallystick/contract/money';
import { beginningOf, canonicalText, chainHash, recordCode } from '@tallystick/verify/chain';
import { centsOf } from '../app/domain/money/amount.ts';

/** The file `content/sample-record.json`: an account's entries as their owner would download them, oldest first. */
export interface SampleRecord {
  account: string;
  entries: {
    at: string;
    transactionid: string;
    fundingtype: string;
    amount: number;
    balanceafter: number;
    recordcode: string;
  }[];
}

export interface ShownEntry {
  name: string;
  /** `8 Jul`, and of a deposit what it came in. */
  when: string;
  day: string;
  /** With its sign. */
  amount: string;
  balance: number;
  /** The code that the record carries. */
  yours: string;
  /** The code that its own line and all before it come to. */
  ours: string;
}

export interface ShownRecord {
  entries: ShownEntry[];
  /** How many entries, from the first on, carry the code they must. Whatever is altered, no entry after it does. */
  matching: number;
}

/** Checks the record by the rule that checks every investor's: what the landing page says of it is what came out. */
export function checkSample({ account, entries }: SampleRecord): ShownRecord {
  const shown: ShownEntry[] = [];
  let { hash, balanceCents } = beginningOf(account);
  let matching = 0;
  for (const [index, entry] of entries.entries()) {
    const { at, transactionid, fundingtype, recordcode } = entry;
    const amountCents = centsOf(entry.amount);
    const balanceAfterCents = centsOf(entry.balanceafter);
    const line = { seq: index + 1, at, transactionid, fundingtype, amountCents, balanceAfterCents };
    hash = chainHash(hash, canonicalText(account, line));
    const ours = recordCode(hash);
    const addsUp = balanceCents + amountCents === balanceAfterCents;
    if (matching === index && addsUp && ours === recordcode) matching += 1;
    balanceCents = balanceAfterCents;
    shown.push({
      ...wordsOf(entry),
      amount: amountCents < 0n ? formatUsd(amountCents) : `+${formatUsd(amountCents)}`,
      balance: entry.balanceafter,
      yours: recordcode,
      ours,
    });
  }
  return { entries: shown, matching };
}

const notDeposits = ['Investment', 'Investment Return', 'Profit', 'Withdrawal'];

function wordsOf({ at, fundingtype }: SampleRecord['entries'][number]) {
  const [, date, month] = new Date(at).toUTCString().split(' ');
  const day = `${Number(date)} ${month}`;
  return notDeposits.includes(fundingtype)
    ? { name: fundingtype, day, when: day }
    : { name: 'Deposit', day, when: `${day}, ${fundingtype}` };
}
