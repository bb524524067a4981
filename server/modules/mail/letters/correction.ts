import { formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';
import { type Content, facts, paragraph, type Site, transactionsLink } from './letter.ts';
import { greeting, oneLine, reasonLine, SignedCentsText, signedUsd, utcTime } from './wording.ts';

export const CorrectionPosted = z.object({
  kind: z.literal('correction-posted'),
  fullname: z.string(),
  /** Below zero when the correction takes from the wallet. */
  amountCents: SignedCentsText,
  reason: z.string(),
  transactionid: z.string(),
  at: z.iso.datetime(),
});

export function correctionPosted(letter: z.infer<typeof CorrectionPosted>, site: Site): Content {
  const amount = BigInt(letter.amountCents);
  const moved = amount < 0n ? `${formatUsd(-amount)} was taken from` : `${formatUsd(amount)} was added to`;
  return {
    subject: `A correction of ${signedUsd(amount)} in your wallet`,
    preview: `${moved} your wallet.`,
    title: 'A correction in your wallet',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, something in your wallet was put right: ${moved} it. The entries before stay as they are; the correction stands beside them, with its reason.`,
      ),
      facts(
        ['Reason', reasonLine(letter.reason)],
        ['Amount', signedUsd(amount)],
        ['When', utcTime(letter.at)],
        ['Transaction ID', oneLine(letter.transactionid)],
      ),
      transactionsLink(site),
    ],
    notice: `If you do not agree with it, write to ${site.supportEmail} with the transaction ID.`,
  };
}
