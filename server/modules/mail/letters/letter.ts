import { type Stoppable, stopLinkPath } from '@tallystick/contract/stopping';

/** Who writes: the brand of `content/` and the address of this installation. */
export interface Site {
  name: string;
  address: string;
  supportEmail: string;
  /** True while name and contacts are the sample ones. */
  sample: boolean;
  /** Without a slash at the end. */
  siteUrl: string;
}

interface Fact {
  label: string;
  value: string;
}

export type Part =
  | { kind: 'paragraph'; text: string }
  | { kind: 'code'; code: string }
  | { kind: 'facts'; facts: Fact[] }
  | { kind: 'link'; label: string; url: string };

/** What a letter says, once. Both its HTML and its plain text are made from this, so they cannot disagree. */
export interface Content {
  subject: string;
  /** What a mail program shows beside the subject. */
  preview: string;
  title: string;
  parts: Part[];
  /** The small print, with what to do when it was not you. */
  notice: string;
}

export const paragraph = (text: string): Part => ({ kind: 'paragraph', text });
export const link = (label: string, url: string): Part => ({ kind: 'link', label, url });

/** Stops what the letter tells of. */
export const stopLink = (label: string, what: Stoppable, token: string, { siteUrl }: Site): Part =>
  link(label, `${siteUrl}${stopLinkPath}#${what}=${token}`);

/** One line each, in their order; what is not known has no line. */
export const facts = (...lines: ([label: string, value: string] | null)[]): Part => ({
  kind: 'facts',
  facts: lines.flatMap((line) => (line ? [{ label: line[0], value: line[1] }] : [])),
});

export const transactionsLink = ({ siteUrl }: Site, label = 'See your transactions'): Part =>
  link(label, `${siteUrl}/transaction`);

export const riskLine = 'Crypto assets are volatile and you can lose money, including all of it.';

/** The small print wherever money is on its way: the commonest fraud asks for a payment to release a payment. */
export function moneyNotice({ supportEmail }: Site): string {
  return `No one needs a fee or another deposit to release your money. If something looks wrong, write to ${supportEmail}.`;
}
