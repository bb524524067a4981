import { formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';
import { CentsText } from './cents-text.ts';
import { type Content, moneyNotice, type Site } from './letter.ts';
import { greeting, oneLine } from './person.ts';
import { utcTime } from './utc-time.ts';

export const WithdrawalPaid = z.object({
  kind: z.literal('withdrawal-paid'),
  fullname: z.string(),
  amountCents: CentsText,
  methodname: z.string(),
  address: z.string(),
  chainTxid: z.string(),
  transactionid: z.string(),
  at: z.iso.datetime(),
});

export function withdrawalPaid(letter: z.infer<typeof WithdrawalPaid>, site: Site): Content {
  const amount = formatUsd(BigInt(letter.amountCents));
  return {
    subject: `Your withdrawal of ${amount} is paid`,
    preview: `Sent in ${oneLine(letter.methodname)} to your address.`,
    title: 'Your withdrawal is paid',
    parts: [
      {
        kind: 'paragraph',
        text: `${greeting(letter.fullname)}, we sent your withdrawal of ${amount}, with no fee of ours. Networks take their time: look the payment up there by the id below.`,
      },
      {
        kind: 'facts',
        facts: [
          { label: 'Amount', value: amount },
          { label: 'Paid in', value: oneLine(letter.methodname) },
          { label: 'To', value: oneLine(letter.address, 200) },
          { label: 'On the network', value: oneLine(letter.chainTxid, 200) },
          { label: 'Paid', value: utcTime(letter.at) },
          { label: 'Transaction ID', value: oneLine(letter.transactionid) },
        ],
      },
      { kind: 'link', label: 'See your transactions', url: `${site.siteUrl}/transaction` },
    ],
    notice: moneyNotice(site),
  };
}
