import { formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';
import { CentsText } from './cents-text.ts';
import { type Content, moneyNotice, type Site } from './letter.ts';
import { greeting, oneLine } from './person.ts';
import { utcTime } from './utc-time.ts';

export const WithdrawalRequested = z.object({
  kind: z.literal('withdrawal-requested'),
  fullname: z.string(),
  amountCents: CentsText,
  methodname: z.string(),
  address: z.string(),
  transactionid: z.string(),
  at: z.iso.datetime(),
});

export function withdrawalRequested(letter: z.infer<typeof WithdrawalRequested>, site: Site): Content {
  const amount = formatUsd(BigInt(letter.amountCents));
  return {
    subject: `You asked to withdraw ${amount}`,
    preview: 'If this was not you, cancel it now.',
    title: 'You asked to withdraw',
    parts: [
      {
        kind: 'paragraph',
        text: `${greeting(letter.fullname)}, ${amount} is set aside from your wallet for this withdrawal. We write to you when it is approved and when it is paid.`,
      },
      {
        kind: 'facts',
        facts: [
          { label: 'Amount', value: amount },
          { label: 'Paid in', value: oneLine(letter.methodname) },
          { label: 'To', value: oneLine(letter.address, 200) },
          { label: 'Asked', value: utcTime(letter.at) },
          { label: 'Transaction ID', value: oneLine(letter.transactionid) },
        ],
      },
      {
        kind: 'paragraph',
        text: 'You can cancel it until it is approved. If it was not you, cancel it and set a new password now: that signs out whoever did this.',
      },
      { kind: 'link', label: 'See or cancel it', url: `${site.siteUrl}/transaction` },
    ],
    notice: moneyNotice(site),
  };
}
