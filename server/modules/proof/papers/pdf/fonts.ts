import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create } from 'fontkit';
import { unpackWoff } from './woff.ts';

/** The site's own letters; a name in others is set in letters that go with them. */

export type Face = 'plain' | 'strong' | 'mono';

const sans = (weight: number) => [
  `@fontsource/instrument-sans/files/instrument-sans-latin-${weight}-normal.woff`,
  `@fontsource/instrument-sans/files/instrument-sans-latin-ext-${weight}-normal.woff`,
  ...['latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext'].map(
    (letters) => `@fontsource/inter/files/inter-${letters}-${weight}-normal.woff`,
  ),
];

const files: Record<Face, string[]> = {
  plain: sans(400),
  strong: sans(600),
  mono: ['@fontsource/geist-mono/files/geist-mono-latin-400-normal.woff'],
};

interface Font {
  name: string;
  data: Buffer;
  has(character: string): boolean;
}

const opened = new Map<string, Font>();

function fontOf(file: string): Font {
  const known = opened.get(file);
  if (known) return known;
  const data = unpackWoff(readFileSync(fileURLToPath(import.meta.resolve(file))));
  const read = create(data);
  if (!('hasGlyphForCodePoint' in read)) throw new Error(`${file} is not a font`);
  const font = {
    name: file,
    data,
    has: (character: string) => read.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
  };
  opened.set(file, font);
  return font;
}

interface Run {
  font: Font;
  text: string;
}

/** What none of the fonts can write. The files for programs have it as it was typed. */
const unknown = '?';

function fontFor(face: Face, character: string): Font | null {
  for (const file of files[face]) {
    const font = fontOf(file);
    if (font.has(character)) return font;
  }
  return null;
}

const simple = /^[\x20-\x7e]*$/;

/** A text in pieces of one font each. Nearly all is plain ASCII and one piece. */
export function runsOf(face: Face, text: string): Run[] {
  const first = fontOf(files[face][0] as string);
  if (simple.test(text)) return [{ font: first, text }];
  const runs: Run[] = [];
  for (const character of text.normalize('NFC').replace(/\p{C}/gu, '')) {
    const found = fontFor(face, character);
    const [font, letter] = found ? [found, character] : [first, unknown];
    const last = runs.at(-1);
    if (last?.font === font) last.text += letter;
    else runs.push({ font, text: letter });
  }
  return runs;
}
