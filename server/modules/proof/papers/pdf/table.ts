import { colours, innerWidth, margin, type Sheet, type Style } from './sheet.ts';

export interface Column {
  name: string;
  width: number;
  isNumber?: boolean;
  style?: Style;
  /** What is too long goes on in a next line. */
  wraps?: boolean;
}

interface Cell {
  text: string;
  style: Style;
}

const gap = 10;
const size = 8;
const leading = 11;
const padding = 4;

/** Rows under the names of their columns, which stand on every page anew. No row is torn apart. */
export function createTable(sheet: Sheet, columns: readonly Column[]) {
  const wide = columns.reduce((sum, { width }) => sum + width + gap, -gap);
  const flexible = columns.find(({ wraps }) => wraps);
  const widthOf = (column: Column) => column.width + (column === flexible ? innerWidth - wide : 0);

  const places: { column: Column; x: number; width: number }[] = [];
  let x = margin;
  for (const column of columns) {
    const width = widthOf(column);
    places.push({ column, x, width });
    x += width + gap;
  }

  function line(cells: Cell[], y: number): void {
    for (const [n, { text, style }] of cells.entries()) {
      const place = places[n];
      if (!place || text === '') continue;
      const { column, x: left, width } = place;
      const set: Style = { size, ...style, inTable: true };
      // Smaller letters stand on the same line.
      const at = y + size - (set.size ?? size);
      if (column.isNumber) sheet.text(text, left + width, at, { ...set, align: 'right' });
      else sheet.text(text, left, at, set);
    }
  }

  function names(): void {
    const style = { colour: colours.faint, size: 7.5 };
    line(
      columns.map(({ name }) => ({ text: name, style })),
      sheet.y + padding - 1,
    );
    sheet.y += leading + 2 * padding - 1;
    sheet.rule(sheet.y, { colour: colours.strongLine });
  }

  return {
    /** With room for a row or two beneath them. */
    begin(): void {
      sheet.keep(60);
      names();
    },

    row(texts: readonly string[], { strong = false, last = false } = {}): void {
      const styleOf = ({ style }: Column): Style => (strong ? { face: 'strong' } : (style ?? {}));
      const cells = columns.map((column, n) => {
        const text = texts[n] ?? '';
        const style = styleOf(column);
        const isWrapped = column.wraps && text !== '';
        return {
          style,
          lines: isWrapped ? sheet.wrapped(text, widthOf(column), { size, ...style, inTable: true }) : [text],
        };
      });
      const count = Math.max(...cells.map(({ lines }) => lines.length));
      const height = count * leading + 2 * padding;
      if (sheet.keep(height)) names();
      for (let n = 0; n < count; n += 1) {
        line(
          cells.map(({ lines, style }) => ({ text: lines[n] ?? '', style })),
          sheet.y + padding - 1 + n * leading,
        );
      }
      sheet.y += height;
      sheet.rule(sheet.y, last ? { colour: colours.strongLine } : {});
    },
  };
}
