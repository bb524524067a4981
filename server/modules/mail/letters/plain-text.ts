import { type Content, type Part, riskLine, type Site } from './letter.ts';

const lineLengthMax = 72;

/** Breaks between words, and inside a word only when it alone is longer than a line. */
function wrap(text: string): string {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ').flatMap(pieces)) {
    const longer = current === '' ? word : `${current} ${word}`;
    if ([...longer].length <= lineLengthMax) {
      current = longer;
    } else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current].join('\n');
}

function pieces(word: string): string[] {
  const characters = [...word];
  const count = Math.max(1, Math.ceil(characters.length / lineLengthMax));
  return Array.from({ length: count }, (_, at) =>
    characters.slice(at * lineLengthMax, (at + 1) * lineLengthMax).join(''),
  );
}

/** Code and link stand alone on their lines: a double click takes the code, and no mail program breaks the link. */
function partText(part: Part): string {
  switch (part.kind) {
    case 'paragraph':
      return wrap(part.text);
    case 'code':
      return part.code;
    case 'facts':
      return part.facts.map(({ label, value }) => wrap(`${label}: ${value}`)).join('\n');
    case 'link':
      return `${part.label}:\n${part.url}`;
  }
}

export function renderText(content: Content, { name, address, supportEmail, sample }: Site): string {
  const footer = [
    wrap(`${name}, ${address}${sample ? ' (sample address)' : ''}`),
    wrap(`Questions: ${supportEmail}${sample ? ' (sample)' : ''}`),
    wrap(riskLine),
  ].join('\n');
  return `${[content.title, ...content.parts.map(partText), wrap(content.notice), footer].join('\n\n')}\n`;
}
