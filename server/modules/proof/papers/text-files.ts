import { Readable } from 'node:stream';
import { investorAccounts } from '@tallystick/contract/ledger';
import { roiToWire, toDecimal, toWire } from '@tallystick/contract/money';
import { streamedCsv } from '../../../platform/http/streaming.ts';
import { recordCode } from '../../ledger/service.ts';
import {
  type AccountKind,
  type Head,
  type Paper,
  type PaperEntry,
  type PaperInvestment,
  together,
} from './rules.ts';

/** A paper for programs, sent while it is read: however long an account is, it needs the memory of a few entries. */

export type EntriesOf = (kind: AccountKind) => AsyncIterable<PaperEntry[]>;

const heads = [
  'Line',
  'Account',
  'Number',
  'Time (UTC)',
  'Description',
  'Transaction ID',
  'Amount',
  'Balance',
  'Record code',
  'Hash',
  'Percent',
  'Days',
  'Matures',
  'Profit',
  'Profit so far',
  'Note',
] as const;
type Fields = Partial<Record<(typeof heads)[number], string | number | null>>;

/** One table for everything, so that a spreadsheet can filter it: the first column says what a line is. */
export function csvOf(paper: Paper, entriesOf: EntriesOf): Readable {
  return streamedCsv([...heads], csvLines(paper, entriesOf), (fields) =>
    heads.map((name) => fields[name] ?? null),
  );
}

async function* csvLines(paper: Paper, entriesOf: EntriesOf): AsyncGenerator<Fields> {
  const { holder, from, to, asOf, chains, owed } = paper;
  const whose = paper.sample ? `${paper.brand} demo, sample data` : paper.brand;
  const about = `${whose}, ${holder.fullname} (${holder.email}), ${from} to ${to}`;
  yield { Line: 'statement', 'Time (UTC)': asOf.toISOString(), Description: about };
  for (const kind of investorAccounts) {
    const { opening, closing } = chains[kind];
    yield { Line: 'opening', Account: kind, ...headFields(opening) };
    for await (const entries of entriesOf(kind)) {
      for (const entry of entries) yield { Line: 'entry', Account: kind, ...entryFields(entry) };
    }
    yield { Line: 'closing', Account: kind, ...headFields(closing) };
  }
  yield* thingLines(paper);
  for (const [kind, cents] of Object.entries({ ...owed, together: together(owed) })) {
    yield { Line: 'owed', Account: kind, 'Time (UTC)': asOf.toISOString(), Balance: toDecimal(cents) };
  }
}

const headFields = ({ seq, hash, balanceCents }: Head): Fields => ({
  Number: String(seq),
  Balance: toDecimal(balanceCents),
  Hash: hash,
});

const entryFields = (entry: PaperEntry): Fields => ({
  Number: String(entry.seq),
  'Time (UTC)': entry.at.toISOString(),
  Description: entry.label,
  'Transaction ID': entry.transactionid,
  Amount: toDecimal(entry.amountCents),
  Balance: toDecimal(entry.balanceAfterCents),
  'Record code': recordCode(entry.hash),
  Hash: entry.hash.toString('hex'),
  Note: entry.reason,
});

function noteOf({ settledAt, leftProfitCents, leftFeeCents }: PaperInvestment): string | null {
  if (!settledAt) return null;
  const when = settledAt.toISOString();
  if (leftProfitCents === null || leftFeeCents === null) return `paid back ${when}`;
  return `left early ${when}, profit ${toDecimal(leftProfitCents)}, fee ${toDecimal(leftFeeCents)}`;
}

function* thingLines({ investments, withdrawals }: Paper): Generator<Fields> {
  for (const each of investments) {
    yield {
      Line: 'investment',
      'Time (UTC)': each.openedAt.toISOString(),
      Description: each.planname,
      'Transaction ID': each.transactionid,
      Amount: toDecimal(each.amountCents),
      Percent: roiToWire(each.roiPoints),
      Days: each.durationDays,
      Matures: each.maturesAt.toISOString(),
      Profit: toDecimal(each.profitCents),
      'Profit so far': each.settledAt ? null : toDecimal(each.accruedCents),
      Note: noteOf(each),
    };
  }
  for (const each of withdrawals) {
    yield {
      Line: 'withdrawal',
      'Time (UTC)': each.requestedAt.toISOString(),
      Description: each.methodname,
      'Transaction ID': each.transactionid,
      Amount: toDecimal(each.amountCents),
      Note: each.address,
    };
  }
}

/** The names of the fields are those of `GET /api/ledger/entries`. It ends before the object does: the signature follows. */
export function jsonOf(paper: Paper, entriesOf: EntriesOf): Readable {
  return Readable.from(jsonParts(paper, entriesOf));
}

async function* jsonParts(paper: Paper, entriesOf: EntriesOf): AsyncGenerator<string> {
  const { origin, brand, sample, holder, from, to, asOf, chains } = paper;
  const whose = { origin, brand, sample, holder };
  const about = { format: 'tallystick paper/v1', ...whose, from, to, asof: asOf.toISOString() };
  yield `${JSON.stringify(about).slice(0, -1)},\n"accounts":{`;
  for (const [n, kind] of investorAccounts.entries()) {
    const { accountId, opening, closing } = chains[kind];
    const head = { account: closing.seq === 0n ? null : accountId };
    yield `${n === 0 ? '\n' : ',\n'}"${kind}":${JSON.stringify(head).slice(0, -1)},`;
    yield `"opening":${JSON.stringify(headToWire(opening))},"closing":${JSON.stringify(headToWire(closing))},"entries":[`;
    let separator = '\n';
    for await (const entries of entriesOf(kind)) {
      yield separator + entries.map((entry) => JSON.stringify(entryToWire(entry))).join(',\n');
      separator = ',\n';
    }
    yield ']}';
  }
  yield `},\n${JSON.stringify(thingsToWire(paper)).slice(1, -1)}`;
}

const headToWire = ({ seq, hash, balanceCents }: Head) => ({
  seq: Number(seq),
  hash,
  balance: toWire(balanceCents),
});

const entryToWire = (entry: PaperEntry) => ({
  seq: Number(entry.seq),
  at: entry.at.toISOString(),
  transactionid: entry.transactionid,
  fundingtype: entry.label,
  amount: toWire(entry.amountCents),
  balanceafter: toWire(entry.balanceAfterCents),
  hash: entry.hash.toString('hex'),
  recordcode: recordCode(entry.hash),
  reason: entry.reason,
});

const thingsToWire = ({ investments, withdrawals, owed }: Paper) => ({
  investments: investments.map((each) => ({
    transactionid: each.transactionid,
    planname: each.planname,
    amount: toWire(each.amountCents),
    roi: roiToWire(each.roiPoints),
    duration: each.durationDays,
    profit: toWire(each.profitCents),
    openedat: each.openedAt.toISOString(),
    maturesat: each.maturesAt.toISOString(),
    settledat: each.settledAt?.toISOString() ?? null,
    profitsofar: each.settledAt ? null : toWire(each.accruedCents),
    exit:
      each.leftProfitCents === null || each.leftFeeCents === null
        ? null
        : { profit: toWire(each.leftProfitCents), fee: toWire(each.leftFeeCents) },
  })),
  withdrawals: withdrawals.map((each) => ({
    transactionid: each.transactionid,
    requestedat: each.requestedAt.toISOString(),
    methodname: each.methodname,
    address: each.address,
    amount: toWire(each.amountCents),
  })),
  owed: {
    wallet: toWire(owed.wallet),
    invested: toWire(owed.invested),
    profit: toWire(owed.profit),
    withdrawing: toWire(owed.withdrawing),
    together: toWire(together(owed)),
  },
});
