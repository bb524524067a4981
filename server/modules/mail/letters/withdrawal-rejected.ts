import { formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';
import { CentsText } from './cents-text.ts';
import { type Content, moneyNotice, type Site } from './letter.ts';
import { greeting, oneLine, reasonLine } from './person.ts';
import { utcTime } from './utc-time.ts';

export const WithdrawalRejected = z.object({
  kind: z.literal('withdrawal-rejected'),
  fullname: z.string(),
  amountCents: CentsText,
  methodname: z.string(),
  address: z.string(),
  reason: z.string(),
  transactionid: z.string(),
  at: z.iso.datetime(),
});

export function withdrawalRejected(letter: z.infer<typeof WithdrawalRejected>, site: Site): Content {
  const amount = formatUsd(BigInt(letter.amountCents));
  return {
    subject: `Your withdrawal was not paid: ${amount} is back in your wallet`,
    preview: 'All of it is back in your wallet.',
    title: 'Your withdrawal was not paid',
    parts: [
      {
        kind: 'paragraph',
        text: `${greeting(letter.fullname)}, your withdrawal of ${amount} was turned down. All of it is back in your wallet.`,
      },
      {
        kind: 'facts',
        facts: [
          { label: 'Reason', value: reasonLine(letter.reason) },
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
