import { formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';
import { CentsText } from './cents-text.ts';
import type { Content, Site } from './letter.ts';
import { greeting, oneLine } from './person.ts';
import { utcTime } from './utc-time.ts';

export const InvestmentOpened = z.object({
  kind: z.literal('investment-opened'),
  fullname: z.string(),
  planname: z.string(),
  amountCents: CentsText,
  profitCents: CentsText,
  maturesAt: z.iso.datetime(),
  transactionid: z.string(),
  at: z.iso.datetime(),
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
      {
        kind: 'paragraph',
        text: `${greeting(letter.fullname)}, you invested in ${planname}. These are your terms; what happens to the plan later does not change them.`,
      },
      {
        kind: 'facts',
        facts: [
          { label: 'You pay', value: formatUsd(amount) },
          {
            label: 'You receive',
            value: `${formatUsd(amount + profit)}, of which ${formatUsd(profit)} profit`,
          },
          { label: 'On', value: utcTime(letter.maturesAt) },
          { label: 'Opened', value: utcTime(letter.at) },
          { label: 'Transaction ID', value: oneLine(letter.transactionid) },
        ],
      },
      { kind: 'link', label: 'See your investments', url: `${site.siteUrl}/investment` },
    ],
    notice: `Until then the amount is bound and cannot be withdrawn. If this was not you, set a new password and write to ${site.supportEmail}.`,
  };
}
