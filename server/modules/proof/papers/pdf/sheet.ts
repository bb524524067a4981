import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { type Face, runsOf } from './fonts.ts';

/** A4 pages to write on, from the top down. */

export const margin = 48;
export const pageHeight = 841.89;
export const innerWidth = 595.28 - 2 * margin;
/** Where the text of a page ends; its number stands below. */
const bottom = pageHeight - 64;
const topOfOthers = 76;

export const colours = {
  ink: '#0d1830',
  quiet: '#414d66',
  faint: '#59657c',
  line: '#e0e5ed',
  strongLine: '#838fa3',
  accent: '#1f4ac2',
} as const;

export interface Style {
  face?: Face;
  size?: number;
  colour?: string;
  align?: 'left' | 'right';
  /** In a table: figures stand under figures, and letters are not drawn together. */
  inTable?: boolean;
}

/** What pdfkit makes of a text: its font's own type does not name it. */
interface Laid {
  glyphs: unknown[];
  positions: unknown[];
  advanceWidth: number;
}
interface OpenFont {
  layout(text: string, features?: string[], onlyWidth?: boolean): Laid;
}

/**
 * Shaping a text is most of the work, and no text of a table comes twice, but its characters do: they are set one by one,
 * each shaped once. A page takes a fifth of the time then.
 */
function setByCharacter(font: OpenFont): void {
  const shape = font.layout.bind(font);
  const known = new Map<string, Laid>();
  font.layout = (text, features, onlyWidth) => {
    if (!features) return shape(text, features, onlyWidth);
    const laid: Laid = { glyphs: [], positions: [], advanceWidth: 0 };
    for (const character of text) {
      const one = known.get(character) ?? shape(character, features);
      known.set(character, one);
      laid.glyphs.push(...one.glyphs);
      laid.positions.push(...one.positions);
      laid.advanceWidth += one.advanceWidth;
    }
    return laid;
  };
}

export type Sheet = ReturnType<typeof createSheet>;

interface SheetNeeds {
  title: string;
  author: string;
  /** What the file says of when it was made: never the hour of printing, so that it can be made again. */
  date: Date;
  /** On every page but the first. */
  head: (sheet: Sheet) => void;
  foot: (sheet: Sheet, page: number, pages: number) => void;
}

export function createSheet({ title, author, date, head, foot }: SheetNeeds) {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Author: author, Producer: author, Creator: author, CreationDate: date },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const known = new Set<string>();

  const useFont = (font: { name: string; data: Buffer }, size: number) => {
    if (known.has(font.name)) return doc.font(font.name).fontSize(size);
    known.add(font.name);
    doc
      .registerFont(font.name, font.data as unknown as Uint8Array<ArrayBuffer>)
      .font(font.name)
      .fontSize(size);
    setByCharacter((doc as unknown as { _font: OpenFont })._font);
  };

  const tabular = { features: ['tnum'] as PDFKit.Mixins.OpenTypeFeatures[] };

  function widthOf(text: string, { face = 'plain', size = 9, inTable = false }: Style = {}): number {
    let width = 0;
    for (const run of runsOf(face, text)) {
      useFont(run.font, size);
      width += doc.widthOfString(run.text, inTable ? tabular : {});
    }
    return width;
  }

  const sheet = {
    /** Where the next thing is written. */
    y: margin,
    /** Where the text of this page begins. */
    top: margin,
    /** Which page is written on, from 1. */
    page: 1,

    widthOf,

    /** One line; `x` is its left end, or with `align: 'right'` its right end. */
    text(text: string, x: number, y: number, style: Style = {}): void {
      const { face = 'plain', size = 9, colour = colours.ink, align = 'left', inTable = false } = style;
      // All fonts stand on the same line, whatever room each wants above it.
      const options = { lineBreak: false, baseline: 'alphabetic' as const, ...(inTable ? tabular : {}) };
      const runs = runsOf(face, text);
      let at = align === 'right' ? x - widthOf(text, style) : x;
      for (const run of runs) {
        useFont(run.font, size);
        doc.fillColor(colour).text(run.text, at, y + size, options);
        if (runs.length > 1) at += doc.widthOfString(run.text, options);
      }
    },

    /** A text in lines no wider than this; a word that is wider itself is cut. */
    wrapped(text: string, width: number, style: Style = {}): string[] {
      const lines: string[] = [];
      let line = '';
      for (const word of text.split(/\s+/).filter(Boolean)) {
        const longer = line ? `${line} ${word}` : word;
        if (widthOf(longer, style) <= width) {
          line = longer;
          continue;
        }
        if (line) lines.push(line);
        line = word;
        while (widthOf(line, style) > width) {
          const fits = fitting(line, width, style);
          lines.push(line.slice(0, fits));
          line = line.slice(fits);
        }
      }
      if (line || lines.length === 0) lines.push(line);
      return lines;
    },

    paragraph(text: string, style: Style & { leading?: number } = {}): void {
      const { leading = 13, ...rest } = style;
      for (const line of sheet.wrapped(text, innerWidth, rest)) {
        sheet.keep(leading);
        sheet.text(line, margin, sheet.y, rest);
        sheet.y += leading;
      }
    },

    /** From margin to margin. */
    rule(y: number, { colour = colours.line as string } = {}): void {
      const right = margin + innerWidth;
      doc.moveTo(margin, y).lineTo(right, y).lineWidth(0.75).strokeColor(colour).stroke();
    },

    shape(path: string, x: number, y: number, scale: number, colour: string): void {
      doc.save().translate(x, y).scale(scale).path(path).fill(colour).restore();
    },

    /** Room for something that is not to be torn apart: on this page, or on the next. True when it is a new one. */
    keep(height: number): boolean {
      if (sheet.y + height <= bottom) return false;
      doc.addPage();
      sheet.page += 1;
      head(sheet);
      sheet.top = topOfOthers;
      sheet.y = topOfOthers;
      return true;
    },

    async done(): Promise<Buffer> {
      const { count } = doc.bufferedPageRange();
      for (let page = 0; page < count; page += 1) {
        doc.switchToPage(page);
        foot(sheet, page + 1, count);
        if (page % 10 === 9) await setImmediate();
      }
      const ended = new Promise<void>((resolve) => doc.on('end', resolve));
      doc.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };

  function fitting(word: string, width: number, style: Style): number {
    let length = word.length;
    while (length > 1 && widthOf(word.slice(0, length), style) > width) length -= 1;
    // Half a character is none.
    return length > 1 && /[\ud800-\udbff]/.test(word[length - 1] ?? '') ? length - 1 : length;
  }

  return sheet;
}
