/** Controls, line breaks and direction marks could forge a header or reorder what is read; joiners are part of real names. */
const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const linkLike = /:\/\/|@|www\.|\S\.\p{L}{2,}/iu;
const nameLengthMax = 100;

/** A name on one line, as it may stand in a header or a sentence. */
export function oneLine(text: string, lengthMax = nameLengthMax): string {
  const line = text.replace(unseen, ' ').replace(/\s+/gu, ' ').trim();
  return [...line].slice(0, lengthMax).join('').trim();
}

/**
 * Anyone can sign up with another person's address and a "name" that is an advertisement with a link, and mail
 * programs make links of anything that looks like one: such a name is not repeated in our letter.
 */
export function greeting(name: string): string {
  const shown = oneLine(name);
  return shown === '' || linkLike.test(shown) ? 'Hello' : `Hello ${shown}`;
}

const reasonLengthMax = 500;

/** What an operator gave as the reason, as one line: a letter has no room for a page. */
export const reasonLine = (reason: string) => oneLine(reason, reasonLengthMax);
