/**
 * The Markdown that posts are written in, and nothing beyond it: headings of the second and third level, paragraphs,
 * lists, tables, quotes, code, links, strong and emphasis. A post becomes plain data that React draws, so no markup of
 * a post ever reaches a page unescaped. What is not part of it is refused, because a reader would see the raw signs.
 */
export type Inline =
  | string
  | { kind: 'strong'; content: Inline[] }
  | { kind: 'em'; content: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; to: string; content: Inline[] };

export type Block =
  | { kind: 'heading'; level: 2 | 3; content: Inline[] }
  | { kind: 'paragraph' | 'note'; content: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; text: string };

export function parseMarkdown(text: string): Block[] {
  const [outside = '', ...fenced] = text.split(/^```\w*$/m);
  if (fenced.length % 2 !== 0) throw new Error('a fence ``` is not closed');
  const blocks = parseChunks(outside);
  fenced.forEach((part, index) => {
    if (index % 2 === 0) blocks.push({ kind: 'code', text: part.trim() });
    else blocks.push(...parseChunks(part));
  });
  return blocks;
}

function parseChunks(text: string): Block[] {
  return text
    .split(/\n\s*\n/)
    .map((chunk) => chunk.trim())
    .filter(Boolean)
    .map(parseBlock);
}

const listItem = /^(- |\d+\. )/;

function parseBlock(chunk: string): Block {
  const lines = chunk.split('\n');
  const heading = /^(#+) (.+)$/.exec(chunk);
  if (heading) return parseHeading(heading[1] ?? '', heading[2] ?? '');
  if (lines.every((line) => line.startsWith('|'))) return parseTable(lines);
  if (lines.every((line) => line.startsWith('>'))) {
    return { kind: 'note', content: parseInline(lines.map((line) => line.slice(1).trim()).join(' ')) };
  }
  if (listItem.test(chunk)) return parseList(chunk);
  if (/^[#|>]/.test(chunk)) throw new Error(`not understood: ${chunk.slice(0, 60)}`);
  return { kind: 'paragraph', content: parseInline(lines.join(' ')) };
}

function parseHeading(signs: string, words: string): Block {
  if (signs.length !== 2 && signs.length !== 3) {
    throw new Error(
      `a heading of level ${signs.length}: the page itself has the first, posts have ## and ###`,
    );
  }
  return { kind: 'heading', level: signs.length, content: parseInline(words) };
}

function parseList(chunk: string): Block {
  const items = chunk.split(/\n(?=- |\d+\. )/).map((item) => item.replace(/\s*\n\s*/g, ' '));
  return {
    kind: 'list',
    ordered: /^\d/.test(chunk),
    items: items.map((item) => parseInline(item.replace(listItem, ''))),
  };
}

function parseTable(lines: string[]): Block {
  const rowOf = (line: string) =>
    line
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim());
  const [head = '', rule = '', ...rows] = lines;
  if (!/^[|\s:-]+$/.test(rule)) throw new Error('the second line of a table is made of dashes');
  const width = rowOf(head).length;
  if (rows.some((row) => rowOf(row).length !== width)) throw new Error('a row of a table has another width');
  return {
    kind: 'table',
    head: rowOf(head).map(parseInline),
    rows: rows.map((row) => rowOf(row).map(parseInline)),
  };
}

const inlineSigns = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)\s]+)\)/;

export function parseInline(text: string): Inline[] {
  const found = inlineSigns.exec(text);
  if (!found) return text ? [text] : [];
  const [all, code, strong, em, words, to] = found;
  const before = text.slice(0, found.index);
  return [...(before ? [before] : []), inlineOf(), ...parseInline(text.slice(found.index + all.length))];

  function inlineOf(): Inline {
    if (code !== undefined) return { kind: 'code', text: code };
    if (strong !== undefined) return { kind: 'strong', content: parseInline(strong) };
    if (em !== undefined) return { kind: 'em', content: parseInline(em) };
    return { kind: 'link', to: ownAddress(to ?? ''), content: parseInline(words ?? '') };
  }
}

/** Posts lead to pages of this site only. */
function ownAddress(to: string): string {
  if (!/^\/(?!\/)/.test(to)) throw new Error(`a link to ${to}: posts link to pages of this site`);
  return to;
}
