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
});
export const InvestmentMatured = z.object({ kind: z.literal('investment-matured'), ...investment });

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
    notice: `Until then the amount is bound and cannot be withdrawn. If this was not you, set a new password and write to ${site.supportEmail}.`,
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
