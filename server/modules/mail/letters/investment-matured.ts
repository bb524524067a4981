import { formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';
import { CentsText } from './cents-text.ts';
import { type Content, moneyNotice, type Site } from './letter.ts';
import { greeting, oneLine } from './person.ts';
import { utcTime } from './utc-time.ts';

export const InvestmentMatured = z.object({
  kind: z.literal('investment-matured'),
  fullname: z.string(),
  planname: z.string(),
  amountCents: CentsText,
  profitCents: CentsText,
  transactionid: z.string(),
  at: z.iso.datetime(),
});

export function investmentMatured(letter: z.infer<typeof InvestmentMatured>, site: Site): Content {
  const amount = BigInt(letter.amountCents);
  const profit = BigInt(letter.profitCents);
  const planname = oneLine(letter.planname);
  return {
    subject: `Your ${planname} investment matured: ${formatUsd(amount + profit)} is in your wallet`,
    preview: `${formatUsd(amount)} came back with ${formatUsd(profit)} profit.`,
    title: 'Your investment matured',
    parts: [
      {
        kind: 'paragraph',
        text: `${greeting(letter.fullname)}, your ${planname} investment has reached its end. What you paid in and the profit are in your wallet and can be withdrawn.`,
      },
      {
        kind: 'facts',
        facts: [
          { label: 'Paid back', value: formatUsd(amount) },
          { label: 'Profit', value: formatUsd(profit) },
          { label: 'When', value: utcTime(letter.at) },
          { label: 'Transaction ID', value: letter.transactionid },
        ],
      },
      { kind: 'link', label: 'See your transactions', url: `${site.siteUrl}/transaction` },
    ],
    notice: moneyNotice(site),
  };
}
