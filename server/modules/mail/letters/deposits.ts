import { z } from 'zod';
import { type Content, facts, moneyNotice, paragraph, type Site, transactionsLink } from './letter.ts';
import { CentsText, chainLine, greeting, oneLine, reasonLine, usd, utcTime } from './wording.ts';

const deposit = {
  fullname: z.string(),
  amountCents: CentsText,
  paymentname: z.string(),
  transactionid: z.string(),
  at: z.iso.datetime(),
};

export const DepositRequested = z.object({
  kind: z.literal('deposit-requested'),
  ...deposit,
  network: z.string().optional(),
  paymentaddress: z.string(),
  tag: z.string().optional(),
});
export const DepositSeen = z.object({
  kind: z.literal('deposit-seen'),
  ...deposit,
  network: z.string(),
  coins: z.string(),
  needed: z.number().int(),
  chainTxid: z.string(),
});
export const DepositConfirmed = z.object({
  kind: z.literal('deposit-confirmed'),
  ...deposit,
  receivedCents: CentsText,
  chainTxid: z.string().optional(),
});
export const DepositRejected = z.object({
  kind: z.literal('deposit-rejected'),
  ...deposit,
  reason: z.string(),
});

export function depositRequested(letter: z.infer<typeof DepositRequested>, site: Site): Content {
  const amount = usd(letter.amountCents);
  const paymentname = oneLine(letter.paymentname);
  return {
    subject: `We noted your deposit of ${amount} in ${paymentname}`,
    preview: 'Nothing is credited before the payment is confirmed.',
    title: 'Your deposit is noted',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, we noted that you want to fund your wallet with ${amount}. Send it to the address below, if you have not done so yet.`,
      ),
      facts(
        ['Amount', amount],
        ['Pay with', paymentname],
        letter.network ? ['Network', oneLine(letter.network)] : null,
        ['Address', chainLine(letter.paymentaddress)],
        letter.tag ? ['Destination tag', chainLine(letter.tag)] : null,
        ['Asked', utcTime(letter.at)],
        ['Transaction ID', oneLine(letter.transactionid)],
      ),
      ...(letter.tag
        ? [
            paragraph(
              'Send the destination tag along, where your wallet asks for a destination tag or memo: without it your payment does not find you.',
            ),
          ]
        : []),
      paragraph(
        'Nothing is credited before the payment is confirmed. Then what really arrived is added to your wallet, and we write to you again. Before you send, compare the address with the one you were shown when you asked.',
      ),
      transactionsLink(site, 'See your request'),
    ],
    notice: `A payment on a blockchain cannot be called back. If you did not ask for this, send nothing and write to ${site.supportEmail}.`,
  };
}

/** Not in the wallet yet, and nothing is to be done: it says what is waited for. */
export function depositSeen(letter: z.infer<typeof DepositSeen>, site: Site): Content {
  const amount = usd(letter.amountCents);
  const network = oneLine(letter.network);
  const blocks = letter.needed === 1 ? '1 confirmation' : `${letter.needed} confirmations`;
  return {
    subject: `Your payment of ${oneLine(letter.coins)} was seen`,
    preview: `It is added to your wallet after ${blocks}.`,
    title: 'Your payment was seen',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, ${network} shows your payment. It is added to your wallet after ${blocks}; there is nothing you need to do.`,
      ),
      facts(
        ['Payment', oneLine(letter.coins)],
        ['Worth when it was seen', amount],
        ['Network', network],
        ['On the network', chainLine(letter.chainTxid)],
        ['When', utcTime(letter.at)],
        ['Transaction ID', oneLine(letter.transactionid)],
      ),
      transactionsLink(site, 'See where it stands'),
    ],
    notice: moneyNotice(site),
  };
}

/** What was asked for is repeated only where something else arrived. */
export function depositConfirmed(letter: z.infer<typeof DepositConfirmed>, site: Site): Content {
  const asked = usd(letter.amountCents);
  const received = usd(letter.receivedCents);
  const paymentname = oneLine(letter.paymentname);
  const differs = asked !== received;
  return {
    subject: `Your deposit arrived: ${received} is in your wallet`,
    preview: differs ? `You had asked for ${asked}; ${received} arrived.` : `Paid with ${paymentname}.`,
    title: 'Your deposit arrived',
    parts: [
      paragraph(
        differs
          ? `${greeting(letter.fullname)}, you had asked to fund your wallet with ${asked}. ${received} arrived, and that is what we added.`
          : `${greeting(letter.fullname)}, your payment of ${received} is confirmed and in your wallet.`,
      ),
      facts(
        ['Received', received],
        differs ? ['You asked for', asked] : null,
        ['Paid with', paymentname],
        ['When', utcTime(letter.at)],
        letter.chainTxid ? ['On the network', chainLine(letter.chainTxid)] : null,
        ['Transaction ID', oneLine(letter.transactionid)],
      ),
      transactionsLink(site),
    ],
    notice: moneyNotice(site),
  };
}

export function depositRejected(letter: z.infer<typeof DepositRejected>, site: Site): Content {
  const amount = usd(letter.amountCents);
  return {
    subject: `Your deposit of ${amount} was not confirmed`,
    preview: 'Nothing was added to your wallet.',
    title: 'Your deposit was not confirmed',
    parts: [
      paragraph(
        `${greeting(letter.fullname)}, your request to fund your wallet with ${amount} was closed. Nothing was added to your wallet.`,
      ),
      facts(
        ['Reason', reasonLine(letter.reason)],
        ['Amount', amount],
        ['Pay with', oneLine(letter.paymentname)],
        ['When', utcTime(letter.at)],
        ['Transaction ID', oneLine(letter.transactionid)],
      ),
      paragraph(
        `If you did send the payment, write to ${site.supportEmail} with the transaction ID above and the one of your payment on the network.`,
      ),
      transactionsLink(site, 'See your request'),
    ],
    notice: moneyNotice(site),
  };
}
