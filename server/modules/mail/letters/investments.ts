import { formatUsd } from '@tallystick/contract/money';
import { z } from 'zod';
import { type Content, facts, link, moneyNotice, paragraph, type Site, transactionsLink } from './letter.ts';
import { CentsText, greeting, oneLine, utcTime } from './wording.ts';

const investment = {
  fullname: z.string(),
  planname: z.string(),
  amountCents: CentsText,
  profitCents: CentsText,
  transactionid: z.string(),
  at: z.iso.datetime(),
};

export const InvestmentOpened = z.object({
  kind: z.literal('investment-opened'),
  ...investment,
  maturesAt: z.iso.datetime(),
  /** From when on it may be left early, on terms of which the screen has the cents. */
  exitFrom: z.iso.datetime().optional(),
});
export const InvestmentMatured = z.object({
  kind: z.literal('investment-matured'),
  ...investment,
  /** Why it was not invested again, where that was chosen. */
  because: z.string().optional(),
});

/** What is invested again: on these terms, or on none. */
const again = z.object({
  planname: z.string(),
  amountCents: CentsText,
  profitCents: CentsText,
  durationDays: z.number().int(),
});

export const MaturityTold = z.object({
  kind: z.literal('maturity-told'),
  fullname: z.string(),
  planname: z.string(),
  amountCents: CentsText,
  profitCents: CentsText,
  transactionid: z.string(),
  maturesAt: z.iso.datetime(),
  closesAt: z.iso.datetime(),
  again: again.optional(),
  because: z.string().optional(),
});

export const InvestmentReinvested = z.object({
  kind: z.literal('investment-reinvested'),
  ...investment,
  again: again.extend({ transactionid: z.string(), maturesAt: z.iso.datetime() }),
});

/** The profit is what stayed of it. */
export const InvestmentLeft = z.object({
  kind: z.literal('investment-left'),
  ...investment,
  feeCents: CentsText,
  paidCents: CentsText,
});

export function investmentOpened(letter: z.infer<typeof InvestmentOpened>, site: Site): Content {
  const amount = BigInt(letter.amountCents);
  const profit = BigInt(letter.profitCents);
  const planname = oneLine(letter.planname);
  return {
    subject: `You invested ${formatUsd(amount)} in ${planname}`,
    preview: `${formatUsd(amount + profit)} is due on ${utcTime(letter.maturesAt)}.`,
    title: 'Your investment is open',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, you invested in ${planname}. These are your terms; what happens to the plan later does not change them.`,
      ),
      facts(
        ['You pay', formatUsd(amount)],
        ['You receive', `${formatUsd(amount + profit)}, of which ${formatUsd(profit)} profit`],
        ['On', utcTime(letter.maturesAt)],
        ['Opened', utcTime(letter.at)],
        ['Transaction ID', oneLine(letter.transactionid)],
      ),
      link('See your investments', `${site.siteUrl}/investment`),
    ],
    notice: `${boundUntil(letter)} If this was not you, set a new password and write to ${site.supportEmail}.`,
  };
}

function boundUntil({ exitFrom }: z.infer<typeof InvestmentOpened>): string {
  if (!exitFrom) return 'Until then the amount is bound and cannot be withdrawn.';
  return `Until then the amount is bound. From ${utcTime(exitFrom)} on you can leave early, for less.`;
}

export function investmentLeft(letter: z.infer<typeof InvestmentLeft>, site: Site): Content {
  const amount = BigInt(letter.amountCents);
  const profit = BigInt(letter.profitCents);
  const fee = BigInt(letter.feeCents);
  const paid = formatUsd(BigInt(letter.paidCents));
  const planname = oneLine(letter.planname);
  return {
    subject: `You left ${planname} early: ${paid} is in your wallet`,
    preview: `${formatUsd(amount)} with ${formatUsd(profit)} profit, less a fee of ${formatUsd(fee)}.`,
    title: 'You left your investment early',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, you left your ${planname} investment before its end, on the terms it was bought with. What it paid is in your wallet and can be withdrawn.`,
      ),
      facts(
        ['Amount', formatUsd(amount)],
        ['Profit you keep', formatUsd(profit)],
        ['Fee', formatUsd(fee)],
        ['Paid to your wallet', paid],
        ['When', utcTime(letter.at)],
        ['Transaction ID', oneLine(letter.transactionid)],
      ),
      transactionsLink(site),
    ],
    // It had a fee: who asks for another one is a thief all the same.
    notice: `The fee is taken off already; no one needs another payment to release your money. If this was not you, set a new password and write to ${site.supportEmail}.`,
  };
}

export function investmentMatured(letter: z.infer<typeof InvestmentMatured>, site: Site): Content {
  const amount = BigInt(letter.amountCents);
  const profit = BigInt(letter.profitCents);
  const planname = oneLine(letter.planname);
  return {
    subject: `Your ${planname} investment matured: ${formatUsd(amount + profit)} is in your wallet`,
    preview: `${formatUsd(amount)} came back with ${formatUsd(profit)} profit.`,
    title: 'Your investment matured',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, your ${planname} investment has reached its end. What you paid in and the profit are in your wallet and can be withdrawn.`,
      ),
      ...(letter.because
        ? [paragraph(`It was not invested again as you had chosen. ${oneLine(letter.because)}`)]
        : []),
      facts(
        ['Paid back', formatUsd(amount)],
        ['Profit', formatUsd(profit)],
        ['When', utcTime(letter.at)],
        ['Transaction ID', oneLine(letter.transactionid)],
      ),
      transactionsLink(site),
    ],
    notice: moneyNotice(site),
  };
}

/** What of the payout is not invested again. */
const toWallet = (letter: { amountCents: string; profitCents: string }, reinvested: bigint) =>
  formatUsd(BigInt(letter.amountCents) + BigInt(letter.profitCents) - reinvested);

export function maturityTold(letter: z.infer<typeof MaturityTold>, site: Site): Content {
  const planname = oneLine(letter.planname);
  const hello = greeting(letter.fullname);
  const { again } = letter;
  const change = link('See or change your choice', `${site.siteUrl}/investment`);
  const notice = `You can choose otherwise until ${utcTime(letter.closesAt)}. If this choice was not yours, set a new password and write to ${site.supportEmail}.`;
  const matures: [string, string] = ['Matures', utcTime(letter.maturesAt)];
  const known: [string, string] = ['Transaction ID', oneLine(letter.transactionid)];
  if (!again) {
    return {
      subject: `Your ${planname} investment will be paid to your wallet`,
      preview: `It matures on ${utcTime(letter.maturesAt)} and cannot be invested again.`,
      title: 'It cannot be invested again',
      parts: [
        paragraph(
          `${hello}, you chose to invest again when your ${planname} investment matures. As things are, it will be paid to your wallet instead. ${oneLine(letter.because ?? '')}`,
        ),
        facts(['To your wallet', toWallet(letter, 0n)], matures, known),
        change,
      ],
      notice,
    };
  }
  const amount = BigInt(again.amountCents);
  const profit = BigInt(again.profitCents);
  return {
    subject: `When your ${planname} investment matures, ${formatUsd(amount)} is invested again`,
    preview: `It matures on ${utcTime(letter.maturesAt)}. You can choose otherwise until an hour before.`,
    title: 'What happens at maturity',
    parts: [
      paragraph(
        `${hello}, your ${planname} investment matures soon, and you chose to invest again. These are the terms. If the plan is not offered on them any more by then, everything is paid to your wallet.`,
      ),
      facts(
        ['Invested again', formatUsd(amount)],
        ['You receive', `${formatUsd(amount + profit)}, of which ${formatUsd(profit)} profit`],
        ['After', `${again.durationDays} days`],
        ['To your wallet', toWallet(letter, amount)],
        matures,
        known,
      ),
      change,
    ],
    notice,
  };
}

export function investmentReinvested(letter: z.infer<typeof InvestmentReinvested>, site: Site): Content {
  const { again } = letter;
  const planname = oneLine(letter.planname);
  const amount = BigInt(again.amountCents);
  const profit = BigInt(again.profitCents);
  return {
    subject: `Your ${planname} investment matured: ${formatUsd(amount)} is invested again`,
    preview: `${toWallet(letter, amount)} is in your wallet.`,
    title: 'Invested again, as you chose',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, your ${planname} investment has reached its end and was invested again in ${oneLine(again.planname)}, on the terms that you were told.`,
      ),
      facts(
        ['Paid back', formatUsd(BigInt(letter.amountCents))],
        ['Profit', formatUsd(BigInt(letter.profitCents))],
        ['When', utcTime(letter.at)],
        ['Transaction ID', oneLine(letter.transactionid)],
        ['Invested again', formatUsd(amount)],
        ['You receive', `${formatUsd(amount + profit)}, of which ${formatUsd(profit)} profit`],
        ['On', utcTime(again.maturesAt)],
        ['Its transaction ID', oneLine(again.transactionid)],
        ['To your wallet', toWallet(letter, amount)],
      ),
      link('See your investments', `${site.siteUrl}/investment`),
    ],
    notice: moneyNotice(site),
  };
}
