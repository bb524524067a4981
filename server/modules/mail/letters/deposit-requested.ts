import { formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';
import { CentsText } from './cents-text.ts';
import type { Content, Site } from './letter.ts';
import { greeting, oneLine } from './person.ts';
import { utcTime } from './utc-time.ts';

export const DepositRequested = z.object({
  kind: z.literal('deposit-requested'),
  fullname: z.string(),
  amountCents: CentsText,
  paymentname: z.string(),
  network: z.string().optional(),
  paymentaddress: z.string(),
  transactionid: z.string(),
  at: z.iso.datetime(),
});

export function depositRequested(letter: z.infer<typeof DepositRequested>, site: Site): Content {
  const amount = formatUsd(BigInt(letter.amountCents));
  const paymentname = oneLine(letter.paymentname);
  return {
    subject: `We noted your deposit of ${amount} in ${paymentname}`,
    preview: 'Nothing is credited before the payment is confirmed.',
    title: 'Your deposit is noted',
    parts: [
      {
        kind: 'paragraph',
        text: `${greeting(letter.fullname)}, we noted that you want to fund your wallet with ${amount}. Send it to the address below, if you have not done so yet.`,
      },
      {
        kind: 'facts',
        facts: [
          { label: 'Amount', value: amount },
          { label: 'Pay with', value: paymentname },
          ...(letter.network ? [{ label: 'Network', value: oneLine(letter.network) }] : []),
          { label: 'Address', value: oneLine(letter.paymentaddress, 200) },
          { label: 'Asked', value: utcTime(letter.at) },
          { label: 'Transaction ID', value: oneLine(letter.transactionid) },
        ],
      },
      {
        kind: 'paragraph',
        text: 'Nothing is credited before the payment is confirmed. Then what really arrived is added to your wallet, and we write to you again. Before you send, compare the address with the one you were shown when you asked.',
      },
      { kind: 'link', label: 'See your request', url: `${site.siteUrl}/transaction` },
    ],
    notice: `A payment on a blockchain cannot be called back. If you did not ask for this, send nothing and write to ${site.supportEmail}.`,
  };
}
