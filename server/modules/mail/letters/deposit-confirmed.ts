import { formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';
import { CentsText } from './cents-text.ts';
import { type Content, moneyNotice, type Site } from './letter.ts';
import { greeting, oneLine } from './person.ts';
import { utcTime } from './utc-time.ts';

export const DepositConfirmed = z.object({
  kind: z.literal('deposit-confirmed'),
  fullname: z.string(),
  amountCents: CentsText,
  receivedCents: CentsText,
  paymentname: z.string(),
  transactionid: z.string(),
  chainTxid: z.string().optional(),
  at: z.iso.datetime(),
});

/** What was asked for is repeated only where something else arrived. */
export function depositConfirmed(letter: z.infer<typeof DepositConfirmed>, site: Site): Content {
  const asked = formatUsd(BigInt(letter.amountCents));
  const received = formatUsd(BigInt(letter.receivedCents));
  const paymentname = oneLine(letter.paymentname);
  const differs = asked !== received;
  const facts = [{ label: 'Received', value: received }];
  if (differs) facts.push({ label: 'You asked for', value: asked });
  facts.push({ label: 'Paid with', value: paymentname }, { label: 'When', value: utcTime(letter.at) });
  if (letter.chainTxid) facts.push({ label: 'On the network', value: oneLine(letter.chainTxid, 200) });
  facts.push({ label: 'Transaction ID', value: oneLine(letter.transactionid) });
  return {
    subject: `Your deposit arrived: ${received} is in your wallet`,
    preview: differs ? `You had asked for ${asked}; ${received} arrived.` : `Paid with ${paymentname}.`,
    title: 'Your deposit arrived',
    parts: [
      {
        kind: 'paragraph',
        text: differs
          ? `${greeting(letter.fullname)}, you had asked to fund your wallet with ${asked}. ${received} arrived, and that is what we added.`
          : `${greeting(letter.fullname)}, your payment of ${received} is confirmed and in your wallet.`,
      },
      { kind: 'facts', facts },
      { kind: 'link', label: 'See your transactions', url: `${site.siteUrl}/transaction` },
    ],
    notice: moneyNotice(site),
  };
}
