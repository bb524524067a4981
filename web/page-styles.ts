/** What a stylesheet is made of: a rule with what it applies to and what it says, or a statement that has no block. */
interface Rule {
  head: string;
  /** Undefined for a statement. */
  body: string | undefined;
}

/** Where the block that begins here ends. Braces in texts and addresses count for nothing. */
function endOf(css: string, open: number): number {
  const parts = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|url\([^)]*\)|\\.|[{}]/gs;
  parts.lastIndex = open;
  let depth = 0;
  for (let part = parts.exec(css); part; part = parts.exec(css)) {
    if (part[0] === '{') depth += 1;
    if (part[0] === '}') depth -= 1;
    if (depth === 0) return part.index;
  }
  throw new Error('the stylesheet has a block without an end: look again');
}

function rulesOf(css: string): Rule[] {
  const rules: Rule[] = [];
  const ends = /(?:\\.|[^\\;{])*([;{])/gsy;
  for (let found = ends.exec(css); found; found = ends.exec(css)) {
    const head = found[0].slice(0, -1).trim();
    if (found[1] === ';') rules.push({ head, body: undefined });
    else {
      const end = endOf(css, ends.lastIndex - 1);
      rules.push({ head, body: css.slice(ends.lastIndex, end) });
      ends.lastIndex = end + 1;
    }
  }
  return rules;
}

const groups = /^@(layer|media|supports|container)\b/;
const className = /\.((?:\\.|[\w-])+)/g;
const quoted = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/gs;
const unescaped = (name: string) =>
  name.replace(/\\([0-9a-f]{1,6}) ?|\\(.)/gi, (_, hex, plain) =>
    hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : plain,
  );

const knowsAll = (part: string, known: Set<string>) =>
  [...part.matchAll(className)].every(([, name = '']) => known.has(unescaped(name)));

/**
 * One of the selectors, up to the bracket that closes them, has no class that the page does not know, and of each list in it
 * one can match as well. What stands in other brackets is denied, or no condition that could be told here.
 */
function canMatch(selectors: string, known: Set<string>, from = 0): { can: boolean; end: number } {
  const signs = /\\.|(:(?:is|where|has))?\(|[,)]/gis;
  let [some, mine, begun] = [false, true, from];
  signs.lastIndex = from;
  for (let sign = signs.exec(selectors); sign; sign = signs.exec(selectors)) {
    const [what, list] = sign;
    if (what.startsWith('\\')) continue;
    mine &&= knowsAll(selectors.slice(begun, sign.index), known);
    if (what.endsWith('(')) {
      const inner = canMatch(selectors, known, signs.lastIndex);
      mine &&= list === undefined || inner.can;
      signs.lastIndex = begun = inner.end;
      continue;
    }
    some ||= mine;
    if (what === ')') return { can: some, end: signs.lastIndex };
    [mine, begun] = [true, signs.lastIndex];
  }
  return { can: some || (mine && knowsAll(selectors.slice(begun), known)), end: selectors.length };
}

function keptOf(css: string, known: Set<string>): string {
  return rulesOf(css)
    .map(({ head, body }) => {
      if (body === undefined) return `${head};`;
      if (groups.test(head)) {
        const inner = keptOf(body, known);
        return inner && `${head}{${inner}}`;
      }
      return head.startsWith('@') || canMatch(head.replace(quoted, '""'), known).can
        ? `${head}{${body}}`
        : '';
    })
    .join('');
}

const written: Record<string, string> = {
  '&amp;': '&',
  '&gt;': '>',
  '&lt;': '<',
  '&quot;': '"',
  '&#x27;': "'",
};

/**
 * The part of a stylesheet that a page can need. Every word of the page may be a class, those of its scripts as well: so
 * what they add is there, too. What cannot be told for certain is kept.
 */
export function stylesFor(page: string, css: string): string {
  const words = page
    .split(/[\s"'`<>]+/)
    .map((word) => word.replace(/&#?\w+;/g, (sign) => written[sign] ?? sign));
  return keptOf(css.replace(/\/\*.*?\*\//gs, ''), new Set(words));
}
