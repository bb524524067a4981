import { setImmediate } from 'node:timers/promises';
import { investorAccounts } from '@tallystick/contract/ledger';
import { type Cents, formatUsd, roiToWire } from '@tallystick/contract/money';
import { recordCode } from '../../../ledger/service.ts';
import { type AccountKind, type Paper, together } from '../rules.ts';
import type { EntriesOf } from '../text-files.ts';
import { colours, createSheet, innerWidth, margin, pageHeight, type Sheet } from './sheet.ts';
import { type Column, createTable } from './table.ts';

/** A paper for people: A4, to be read, printed and filed. */

const accountNames: Record<AccountKind, string> = {
  wallet: 'Wallet',
  invested: 'Invested',
  withdrawing: 'Being withdrawn',
};

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const dayText = (day: string) =>
  `${Number(day.slice(8))} ${months[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;
const momentText = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ');
const daysText = ({ from, to }: Paper) =>
  from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`;

export async function drawPaper(paper: Paper, entriesOf: EntriesOf): Promise<Buffer> {
  const { brand, holder, asOf } = paper;
  const name = holder.fullname || holder.email;
  const sheet = createSheet({
    title: `Account statement, ${daysText(paper)}`,
    author: brand,
    date: asOf,
    head: (page) => smallHead(page, paper, name),
    foot: (page, number, count) => foot(page, paper, `Page ${number} of ${count}`),
  });
  firstHead(sheet, paper, name);
  summary(sheet, paper);
  owed(sheet, paper);
  for (const kind of investorAccounts) await entries(sheet, paper, kind, entriesOf);
  investments(sheet, paper);
  withdrawals(sheet, paper);
  check(sheet, paper);
  return sheet.done();
}

const halves = [
  'M4 5.5A2.5 2.5 0 0 1 6.5 3H13v4.5l-3.5 3 3.5 3v1l-3.5 3 3.5 3V25H6.5A2.5 2.5 0 0 1 4 22.5Z',
  'M15 1h6.5A2.5 2.5 0 0 1 24 3.5v17a2.5 2.5 0 0 1-2.5 2.5H15v-2.5l3.5-3-3.5-3v-1l3.5-3-3.5-3Z',
];

function mark(sheet: Sheet, y: number, size: number): void {
  const [left = '', right = ''] = halves;
  sheet.shape(left, margin - 2, y, size / 28, colours.accent);
  sheet.shape(right, margin - 2, y, size / 28, '#8ca3e1');
}

function firstHead(sheet: Sheet, paper: Paper, name: string): void {
  const right = margin + innerWidth;
  mark(sheet, sheet.y - 4, 22);
  sheet.text(paper.brand, margin + 26, sheet.y - 1, { face: 'strong', size: 13 });
  const note = `${paper.sample ? 'Sample data of a demo: no real money. ' : ''}US dollars, times in UTC`;
  sheet.text(note, right, sheet.y + 2, {
    size: 8,
    colour: colours.faint,
    align: 'right',
  });
  sheet.y += 46;
  sheet.text('Account statement', margin, sheet.y, { face: 'strong', size: 24 });
  sheet.y += 36;
  sheet.text(daysText(paper), margin, sheet.y, { size: 12, colour: colours.quiet });
  sheet.y += 30;
  sheet.paragraph(name, { face: 'strong', size: 10.5, leading: 15 });
  if (name !== paper.holder.email)
    sheet.paragraph(paper.holder.email, { colour: colours.quiet, leading: 13 });
  sheet.y += 16;
}

/** A name may be longer than the line. */
function shortened(sheet: Sheet, text: string, width: number, size: number): string {
  const [first = '', ...rest] = sheet.wrapped(text, width, { size });
  return rest.length > 0 ? `${first.replace(/[\s,.]+$/, '')}…` : first;
}

function smallHead(sheet: Sheet, paper: Paper, name: string): void {
  const right = margin + innerWidth;
  mark(sheet, 37, 14);
  const style = { size: 8, colour: colours.faint };
  sheet.text(paper.brand, margin + 18, 39, { face: 'strong', size: 9 });
  const about = `${paper.sample ? 'Sample data, account' : 'Account'} statement, ${daysText(paper)}`;
  sheet.text(about, right, 40, { ...style, align: 'right' });
  const left = margin + 18 + sheet.widthOf(paper.brand, { face: 'strong', size: 9 }) + 12;
  const room = right - sheet.widthOf(about, style) - 20 - left;
  if (room > 40) sheet.text(shortened(sheet, name, room, 8), left, 40, style);
  sheet.rule(60);
}

function foot(sheet: Sheet, paper: Paper, page: string): void {
  const y = pageHeight - 42;
  const style = { size: 7.5, colour: colours.faint };
  sheet.rule(y - 8);
  sheet.text(
    shortened(sheet, `Signed by ${paper.origin}. Check it with /verify.html, without a network.`, 380, 7.5),
    margin,
    y,
    style,
  );
  sheet.text(page, margin + innerWidth, y, { ...style, align: 'right' });
}

function heading(sheet: Sheet, text: string, note = ''): void {
  sheet.keep(100);
  if (sheet.y > sheet.top) sheet.y += 14;
  sheet.text(text, margin, sheet.y, { face: 'strong', size: 12 });
  const left = margin + sheet.widthOf(text, { face: 'strong', size: 12 }) + 8;
  if (note) sheet.text(note, left, sheet.y + 3.5, { size: 8, colour: colours.faint });
  sheet.y += 20;
}

const plain = (cents: Cents) => formatUsd(cents).replace('$', '');
const signed = (cents: Cents) => (cents > 0n ? `+${plain(cents)}` : plain(cents));

function summary(sheet: Sheet, paper: Paper): void {
  heading(sheet, 'Balances');
  const table = createTable(sheet, [
    { name: 'Account', width: 120, wraps: true },
    { name: 'Opening balance', width: 80, isNumber: true },
    { name: 'In', width: 80, isNumber: true },
    { name: 'Out', width: 80, isNumber: true },
    { name: 'Closing balance', width: 80, isNumber: true, style: { face: 'strong' } },
  ]);
  table.begin();
  for (const kind of investorAccounts) {
    const { opening, closing, inCents, outCents } = paper.chains[kind];
    const figures = [opening.balanceCents, inCents, outCents, closing.balanceCents].map(plain);
    table.row([accountNames[kind], ...figures], { last: kind === investorAccounts.at(-1) });
  }
}

function owed(sheet: Sheet, { owed: kinds, to }: Paper): void {
  heading(sheet, 'What you are owed', `at the end of ${dayText(to)}`);
  const table = createTable(sheet, [
    { name: 'Kind', width: 120 },
    { name: '', width: 200, wraps: true, style: { colour: colours.faint } },
    { name: 'Amount', width: 90, isNumber: true },
  ]);
  table.begin();
  table.row(['In the wallet', 'to invest or to withdraw', plain(kinds.wallet)]);
  table.row(['Invested', 'principal of running investments', plain(kinds.invested)]);
  table.row(['Profit so far', 'grows evenly over each term, paid when it ends', plain(kinds.profit)]);
  table.row(['Being withdrawn', 'asked for and not paid yet', plain(kinds.withdrawing)]);
  table.row(['Together', '', formatUsd(together(kinds))], { strong: true, last: true });
}

const code = { face: 'mono', size: 7.5, colour: colours.quiet } as const;
const entryColumns: readonly Column[] = [
  { name: 'No.', width: 24, isNumber: true, style: { size: 7.5, colour: colours.faint } },
  { name: 'Time', width: 84 },
  { name: 'Description', width: 60, wraps: true },
  { name: 'Transaction ID', width: 56, style: code },
  { name: 'Record code', width: 44, style: code },
  { name: 'Amount', width: 62, isNumber: true },
  { name: 'Balance', width: 62, isNumber: true },
];

async function entries(sheet: Sheet, paper: Paper, kind: AccountKind, entriesOf: EntriesOf): Promise<void> {
  const { opening, closing } = paper.chains[kind];
  const count = closing.seq - opening.seq;
  heading(
    sheet,
    accountNames[kind],
    count === 1n ? '1 entry' : `${plain(count * 100n).slice(0, -3)} entries`,
  );
  const table = createTable(sheet, entryColumns);
  table.begin();
  table.row(['', '', 'Opening balance', '', '', '', plain(opening.balanceCents)], { strong: true });
  for await (const part of entriesOf(kind)) {
    let page = sheet.page;
    for (const { seq, at, label, reason, transactionid, hash, amountCents, balanceAfterCents } of part) {
      const words = reason ? `${label}: ${reason}` : label;
      const figures = [signed(amountCents), plain(balanceAfterCents)];
      table.row([String(seq), momentText(at), words, transactionid, recordCode(hash), ...figures]);
      // Others are to be answered while a long one is drawn.
      if (sheet.page !== page) await setImmediate();
      page = sheet.page;
    }
  }
  table.row(['', '', 'Closing balance', '', '', '', plain(closing.balanceCents)], {
    strong: true,
    last: true,
  });
}

function investments(sheet: Sheet, { investments: all, owed: { invested, profit } }: Paper): void {
  heading(sheet, 'Investments', 'running at any time of the period, with the terms agreed at the purchase');
  if (all.length === 0) {
    sheet.paragraph('None was running.', { colour: colours.quiet });
    return;
  }
  const table = createTable(sheet, [
    { name: 'Plan and terms', width: 90, wraps: true },
    { name: 'Transaction ID', width: 56, style: code },
    { name: 'Bought', width: 50 },
    { name: 'Matures', width: 50 },
    { name: 'Paid back', width: 50 },
    { name: 'Amount', width: 62, isNumber: true },
    { name: 'Profit at term', width: 50, isNumber: true },
    { name: 'Profit so far', width: 46, isNumber: true },
  ]);
  table.begin();
  const day = (at: Date) => momentText(at).slice(0, 10);
  for (const each of all) {
    const days = each.durationDays === 1 ? '1 day' : `${each.durationDays} days`;
    table.row([
      `${each.planname}, ${roiToWire(each.roiPoints)} % for ${days}${leavingOf(each)}`,
      each.transactionid,
      day(each.openedAt),
      day(each.maturesAt),
      each.settledAt ? day(each.settledAt) : '',
      plain(each.amountCents),
      plain(each.profitCents),
      each.settledAt ? 'paid' : plain(each.accruedCents),
    ]);
  }
  const sums = ['Still running', '', '', '', '', plain(invested), '', plain(profit)];
  table.row(sums, { strong: true, last: true });
}

function leavingOf({ leftProfitCents, leftFeeCents }: Paper['investments'][number]): string {
  if (leftProfitCents === null || leftFeeCents === null) return '';
  return `; left early: profit ${plain(leftProfitCents)}, fee ${plain(leftFeeCents)}`;
}

function withdrawals(sheet: Sheet, { withdrawals: all, owed: { withdrawing } }: Paper): void {
  heading(sheet, 'Withdrawals under way', 'asked for and not paid by the end of the period');
  if (all.length === 0) {
    sheet.paragraph('None.', { colour: colours.quiet });
    return;
  }
  const table = createTable(sheet, [
    { name: 'Asked for', width: 84 },
    { name: 'To', width: 150, wraps: true },
    { name: 'Transaction ID', width: 56, style: code },
    { name: 'Amount', width: 70, isNumber: true },
  ]);
  table.begin();
  for (const each of all) {
    const to = `${each.methodname}, ${each.address}`;
    table.row([momentText(each.requestedAt), to, each.transactionid, plain(each.amountCents)]);
  }
  table.row(['Together', '', '', plain(withdrawing)], { strong: true, last: true });
}

function check(sheet: Sheet, paper: Paper): void {
  heading(sheet, 'What this paper proves, and how to check it');
  const style = { colour: colours.quiet, size: 8.5, leading: 12.5 };
  const paragraphs = [
    `This file carries a signature (Ed25519) of ${paper.origin} over every byte of it. Open /verify.html of the site, or the copy you keep, choose this file and give it the key of the log, which stands at /log/vkey of the site: it says, without a network, whether a single byte was changed since it was signed. A printed page carries no signature; keep the file.`,
    'The signature proves that we have stated these figures, so that we cannot take them back. It does not prove by itself that the money is there: for that there is the page Proof, which sets what is owed to everybody against what is held.',
    'Every entry is chained to the one before it, and its record code is the beginning of its hash. The hashes below are where your three accounts stood at the end of the period. Whoever has them can tell later whether anything up to then was changed, left out or added.',
  ];
  for (const text of paragraphs) {
    sheet.paragraph(text, style);
    sheet.y += 5;
  }
  sheet.y += 2;
  for (const kind of investorAccounts) {
    const { closing } = paper.chains[kind];
    sheet.keep(14);
    const isEmpty = closing.seq === 0n;
    const stands = isEmpty ? 'no entry yet' : `entry ${closing.seq}`;
    sheet.text(`${accountNames[kind]}, ${stands}`, margin, sheet.y, { size: 7.5, colour: colours.quiet });
    if (!isEmpty) sheet.text(closing.hash, margin + 130, sheet.y, { ...code, size: 7.5 });
    sheet.y += 13;
  }
}
