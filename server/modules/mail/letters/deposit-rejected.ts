import { formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';
import { CentsText } from './cents-text.ts';
import { type Content, moneyNotice, type Site } from './letter.ts';
import { greeting, oneLine, reasonLine } from './person.ts';
import { utcTime } from './utc-time.ts';

export const DepositRejected = z.object({
  kind: z.literal('deposit-rejected'),
  fullname: z.string(),
  amountCents: CentsText,
  paymentname: z.string(),
  reason: z.string(),
  transactionid: z.string(),
  at: z.iso.datetime(),
});

export function depositRejected(letter: z.infer<typeof DepositRejected>, site: Site): Content {
  const amount = formatUsd(BigInt(letter.amountCents));
  return {
    subject: `Your deposit of ${amount} was not confirmed`,
    preview: 'Nothing was added to your wallet.',
    title: 'Your deposit was not confirmed',
    parts: [
      {
        kind: 'paragraph',
        text: `${greeting(letter.fullname)}, your request to fund your wallet with ${amount} was closed. Nothing was added to your wallet.`,
      },
      {
        kind: 'facts',
        facts: [
          { label: 'Reason', value: reasonLine(letter.reason) },
          { label: 'Amount', value: amount },
          { label: 'Pay with', value: oneLine(letter.paymentname) },
          { label: 'When', value: utcTime(letter.at) },
          { label: 'Transaction ID', value: oneLine(letter.transactionid) },
        ],
      },
      {
        kind: 'paragraph',
        text: `If you did send the payment, write to ${site.supportEmail} with the transaction ID above and the one of your payment on the network.`,
      },
      { kind: 'link', label: 'See your request', url: `${site.siteUrl}/transaction` },
    ],
    notice: moneyNotice(site),
  };
}
