import { formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';
import { CentsText } from './cents-text.ts';
import { type Content, moneyNotice, type Site } from './letter.ts';
import { greeting, oneLine } from './person.ts';
import { utcTime } from './utc-time.ts';

export const WithdrawalCancelled = z.object({
  kind: z.literal('withdrawal-cancelled'),
  fullname: z.string(),
  amountCents: CentsText,
  methodname: z.string(),
  address: z.string(),
  transactionid: z.string(),
  at: z.iso.datetime(),
});

export function withdrawalCancelled(letter: z.infer<typeof WithdrawalCancelled>, site: Site): Content {
  const amount = formatUsd(BigInt(letter.amountCents));
  return {
    subject: `You cancelled a withdrawal: ${amount} is back in your wallet`,
    preview: 'Nothing was sent.',
    title: 'You cancelled a withdrawal',
    parts: [
      {
        kind: 'paragraph',
        text: `${greeting(letter.fullname)}, you cancelled your withdrawal of ${amount} before it was approved. Nothing was sent, and all of it is back in your wallet.`,
      },
      {
        kind: 'facts',
        facts: [
          { label: 'Amount', value: amount },
          { label: 'Method', value: oneLine(letter.methodname) },
          { label: 'To', value: oneLine(letter.address, 200) },
          { label: 'When', value: utcTime(letter.at) },
          { label: 'Transaction ID', value: oneLine(letter.transactionid) },
        ],
      },
      { kind: 'link', label: 'See your transactions', url: `${site.siteUrl}/transaction` },
    ],
    notice: moneyNotice(site),
  };
}
