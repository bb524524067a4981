import { z } from 'zod';
import { type Content, facts, moneyNotice, paragraph, type Site, transactionsLink } from './letter.ts';
import { CentsText, chainLine, greeting, oneLine, reasonLine, usd, utcTime } from './wording.ts';

const withdrawal = {
  fullname: z.string(),
  amountCents: CentsText,
  methodname: z.string(),
  address: z.string(),
  transactionid: z.string(),
  at: z.iso.datetime(),
};

export const WithdrawalRequested = z.object({ kind: z.literal('withdrawal-requested'), ...withdrawal });
export const WithdrawalApproved = z.object({ kind: z.literal('withdrawal-approved'), ...withdrawal });
export const WithdrawalPaid = z.object({
  kind: z.literal('withdrawal-paid'),
  ...withdrawal,
  chainTxid: z.string(),
});
export const WithdrawalRejected = z.object({
  kind: z.literal('withdrawal-rejected'),
  ...withdrawal,
  reason: z.string(),
});
export const WithdrawalCancelled = z.object({ kind: z.literal('withdrawal-cancelled'), ...withdrawal });

type AboutWithdrawal = z.infer<
  | typeof WithdrawalRequested
  | typeof WithdrawalApproved
  | typeof WithdrawalPaid
  | typeof WithdrawalRejected
  | typeof WithdrawalCancelled
>;

/** What the facts of a withdrawal are called at each step. */
const labels = {
  'withdrawal-requested': { method: 'Paid in', at: 'Asked' },
  'withdrawal-approved': { method: 'Paid in', at: 'Approved' },
  'withdrawal-paid': { method: 'Paid in', at: 'Paid' },
  'withdrawal-rejected': { method: 'Method', at: 'When' },
  'withdrawal-cancelled': { method: 'Method', at: 'When' },
};

const factsOf = (letter: AboutWithdrawal) =>
  facts(
    letter.kind === 'withdrawal-rejected' ? ['Reason', reasonLine(letter.reason)] : null,
    ['Amount', usd(letter.amountCents)],
    [labels[letter.kind].method, oneLine(letter.methodname)],
    ['To', chainLine(letter.address)],
    letter.kind === 'withdrawal-paid' ? ['On the network', chainLine(letter.chainTxid)] : null,
    [labels[letter.kind].at, utcTime(letter.at)],
    ['Transaction ID', oneLine(letter.transactionid)],
  );

export function withdrawalRequested(letter: z.infer<typeof WithdrawalRequested>, site: Site): Content {
  const amount = usd(letter.amountCents);
  return {
    subject: `You asked to withdraw ${amount}`,
    preview: 'If this was not you, cancel it now.',
    title: 'You asked to withdraw',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, ${amount} is set aside from your wallet for this withdrawal. We write to you when it is approved and when it is paid.`,
      ),
      factsOf(letter),
      paragraph(
        'You can cancel it until it is approved. If it was not you, cancel it and set a new password now: that signs out whoever did this.',
      ),
      transactionsLink(site, 'See or cancel it'),
    ],
    notice: moneyNotice(site),
  };
}

/** A step of ours: one sentence, the facts, and where to look it up. */
const told = (
  letter: AboutWithdrawal,
  site: Site,
  { sentence, ...heads }: Pick<Content, 'subject' | 'preview' | 'title'> & { sentence: string },
): Content => ({
  ...heads,
  parts: [paragraph(`${greeting(letter.fullname)}, ${sentence}`), factsOf(letter), transactionsLink(site)],
  notice: moneyNotice(site),
});

export function withdrawalApproved(letter: z.infer<typeof WithdrawalApproved>, site: Site): Content {
  const amount = usd(letter.amountCents);
  return told(letter, site, {
    subject: `Your withdrawal of ${amount} is approved`,
    preview: 'It is paid next. There is nothing to do.',
    title: 'Your withdrawal is approved',
    sentence: `your withdrawal of ${amount} is approved and is paid next. It can no longer be cancelled. We write to you when it is on its way.`,
  });
}

export function withdrawalPaid(letter: z.infer<typeof WithdrawalPaid>, site: Site): Content {
  const amount = usd(letter.amountCents);
  return told(letter, site, {
    subject: `Your withdrawal of ${amount} is paid`,
    preview: `Sent in ${oneLine(letter.methodname)} to your address.`,
    title: 'Your withdrawal is paid',
    sentence: `we sent your withdrawal of ${amount}, with no fee of ours. Networks take their time: look the payment up there by the id below.`,
  });
}

export function withdrawalRejected(letter: z.infer<typeof WithdrawalRejected>, site: Site): Content {
  const amount = usd(letter.amountCents);
  return told(letter, site, {
    subject: `Your withdrawal was not paid: ${amount} is back in your wallet`,
    preview: 'All of it is back in your wallet.',
    title: 'Your withdrawal was not paid',
    sentence: `your withdrawal of ${amount} was turned down. All of it is back in your wallet.`,
  });
}

export function withdrawalCancelled(letter: z.infer<typeof WithdrawalCancelled>, site: Site): Content {
  const amount = usd(letter.amountCents);
  return told(letter, site, {
    subject: `You cancelled a withdrawal: ${amount} is back in your wallet`,
    preview: 'Nothing was sent.',
    title: 'You cancelled a withdrawal',
    sentence: `you cancelled your withdrawal of ${amount} before it was approved. Nothing was sent, and all of it is back in your wallet.`,
  });
}
