import { formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';
import { CentsText } from './cents-text.ts';
import { type Content, moneyNotice, type Site } from './letter.ts';
import { greeting, oneLine } from './person.ts';
import { utcTime } from './utc-time.ts';

export const WithdrawalApproved = z.object({
  kind: z.literal('withdrawal-approved'),
  fullname: z.string(),
  amountCents: CentsText,
  methodname: z.string(),
  address: z.string(),
  transactionid: z.string(),
  at: z.iso.datetime(),
});

export function withdrawalApproved(letter: z.infer<typeof WithdrawalApproved>, site: Site): Content {
  const amount = formatUsd(BigInt(letter.amountCents));
  return {
    subject: `Your withdrawal of ${amount} is approved`,
    preview: 'It is paid next. There is nothing to do.',
    title: 'Your withdrawal is approved',
    parts: [
      {
        kind: 'paragraph',
        text: `${greeting(letter.fullname)}, your withdrawal of ${amount} is approved and is paid next. It can no longer be cancelled. We write to you when it is on its way.`,
      },
      {
        kind: 'facts',
        facts: [
          { label: 'Amount', value: amount },
          { label: 'Paid in', value: oneLine(letter.methodname) },
          { label: 'To', value: oneLine(letter.address, 200) },
          { label: 'Approved', value: utcTime(letter.at) },
          { label: 'Transaction ID', value: oneLine(letter.transactionid) },
        ],
      },
      { kind: 'link', label: 'See your transactions', url: `${site.siteUrl}/transaction` },
    ],
    notice: moneyNotice(site),
  };
}
