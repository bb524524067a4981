import { formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';
import { type Content, facts, link, moneyNotice, paragraph, type Site, transactionsLink } from './letter.ts';
import { CentsText, greeting, oneLine, utcTime } from './wording.ts';

const investment = {
  fullname: z.string(),
  planname: z.string(),
  amountCents: CentsText,
  profitCents: CentsText,
  transactionid: z.string(),
  at: z.iso.datetime(),
};

export const InvestmentOpened = z.object({
  kind: z.literal('investment-opened'),
  ...investment,
  maturesAt: z.iso.datetime(),
  /** From when on it may be left early, on terms of which the screen has the cents. */
  exitFrom: z.iso.datetime().optional(),
});
export const InvestmentMatured = z.object({ kind: z.literal('investment-matured'), ...investment });

/** The profit is what stayed of it. */
export const InvestmentLeft = z.object({
  kind: z.literal('investment-left'),
  ...investment,
  feeCents: CentsText,
  paidCents: CentsText,
});

export function investmentOpened(letter: z.infer<typeof InvestmentOpened>, site: Site): Content {
  const amount = BigInt(letter.amountCents);
  const profit = BigInt(letter.profitCents);
  const planname = oneLine(letter.planname);
  return {
    subject: `You invested ${formatUsd(amount)} in ${planname}`,
    preview: `${formatUsd(amount + profit)} is due on ${utcTime(letter.maturesAt)}.`,
    title: 'Your investment is open',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, you invested in ${planname}. These are your terms; what happens to the plan later does not change them.`,
      ),
      facts(
        ['You pay', formatUsd(amount)],
        ['You receive', `${formatUsd(amount + profit)}, of which ${formatUsd(profit)} profit`],
        ['On', utcTime(letter.maturesAt)],
        ['Opened', utcTime(letter.at)],
        ['Transaction ID', oneLine(letter.transactionid)],
      ),
      link('See your investments', `${site.siteUrl}/investment`),
    ],
    notice: `${boundUntil(letter)} If this was not you, set a new password and write to ${site.supportEmail}.`,
  };
}

function boundUntil({ exitFrom }: z.infer<typeof InvestmentOpened>): string {
  if (!exitFrom) return 'Until then the amount is bound and cannot be withdrawn.';
  return `Until then the amount is bound. From ${utcTime(exitFrom)} on you can leave early, for less.`;
}

export function investmentLeft(letter: z.infer<typeof InvestmentLeft>, site: Site): Content {
  const amount = BigInt(letter.amountCents);
  const profit = BigInt(letter.profitCents);
  const fee = BigInt(letter.feeCents);
  const paid = formatUsd(BigInt(letter.paidCents));
  const planname = oneLine(letter.planname);
  return {
    subject: `You left ${planname} early: ${paid} is in your wallet`,
    preview: `${formatUsd(amount)} with ${formatUsd(profit)} profit, less a fee of ${formatUsd(fee)}.`,
    title: 'You left your investment early',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, you left your ${planname} investment before its end, on the terms it was bought with. What it paid is in your wallet and can be withdrawn.`,
      ),
      facts(
        ['Amount', formatUsd(amount)],
        ['Profit you keep', formatUsd(profit)],
        ['Fee', formatUsd(fee)],
        ['Paid to your wallet', paid],
        ['When', utcTime(letter.at)],
        ['Transaction ID', letter.transactionid],
      ),
      transactionsLink(site),
    ],
    notice: moneyNotice(site),
  };
}

export function investmentMatured(letter: z.infer<typeof InvestmentMatured>, site: Site): Content {
  const amount = BigInt(letter.amountCents);
  const profit = BigInt(letter.profitCents);
  const planname = oneLine(letter.planname);
  return {
    subject: `Your ${planname} investment matured: ${formatUsd(amount + profit)} is in your wallet`,
    preview: `${formatUsd(amount)} came back with ${formatUsd(profit)} profit.`,
    title: 'Your investment matured',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, your ${planname} investment has reached its end. What you paid in and the profit are in your wallet and can be withdrawn.`,
      ),
      facts(
        ['Paid back', formatUsd(amount)],
        ['Profit', formatUsd(profit)],
        ['When', utcTime(letter.at)],
        ['Transaction ID', letter.transactionid],
      ),
      transactionsLink(site),
    ],
    notice: moneyNotice(site),
  };
}
