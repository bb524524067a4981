import type { ContactMessage } from '@tallystick/contract/operator/messages';

/** Mail programs cut long addresses off, some of them silently. */
const quotedLengthMax = 1_000;

/** Opens the operator's own mail program with an answer begun: the message quoted beneath. */
export function replyAddress({ name, email, message }: ContactMessage, brandName: string): string {
  const said = message.length > quotedLengthMax ? `${message.slice(0, quotedLengthMax)}…` : message;
  const quoted = said.split(/\r?\n/).map((line) => `> ${line}`);
  const body = [`Hello ${name},`, '', '', '', ...quoted].join('\r\n');
  const subject = `Your message to ${brandName}`;
  // An address may hold characters that mean something in a link; the @ must stay as it is.
  const to = encodeURIComponent(email).replace('%40', '@');
  return `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
