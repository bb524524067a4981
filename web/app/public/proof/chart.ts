import type { Statement } from '@tallystick/contract/proof';
import { sumOf } from './statement.ts';

/** `Math.max` knows no whole cents. */
export const mostOf = (amounts: readonly bigint[]): bigint =>
  amounts.toSorted((one, other) => Number(other - one))[0] ?? 0n;

export const chartSize = { width: 1000, height: 160 };

interface Point {
  x: number;
  /** Unknown is a gap, never nought. */
  cents: bigint | null;
}

/** A figure holds until the next statement, so the line goes in steps; it begins anew behind a gap. */
function stepsOf(points: readonly Point[], most: bigint): string {
  const { height } = chartSize;
  const y = (cents: bigint) => (height - 2 - (Number(cents) / Number(most || 1n)) * (height - 6)).toFixed(1);
  let isDrawing = false;
  return points
    .map(({ x, cents }) => {
      const at = x.toFixed(1);
      if (cents === null) {
        const end = isDrawing ? `H${at}` : '';
        isDrawing = false;
        return end;
      }
      const step = isDrawing ? `H${at}V${y(cents)}` : `M${at} ${y(cents)}`;
      isDrawing = true;
      return step;
    })
    .join('');
}

/** Oldest at the left. One statement alone is no line yet: null. */
export function linesOf(newestFirst: readonly Statement[]): { owed: string; held: string } | null {
  const statements = newestFirst.toReversed();
  const [first, last] = [statements[0], statements.at(-1)];
  if (!first || !last || first === last) return null;
  const [from, to] = [Date.parse(first.time), Date.parse(last.time)];
  const x = ({ time }: Statement) => ((Date.parse(time) - from) / Math.max(to - from, 1)) * chartSize.width;
  const owed = statements.map((one) => ({ x: x(one), cents: sumOf(one.owed) }));
  const held = statements.map((one) => ({ x: x(one), cents: one.held === null ? null : BigInt(one.held) }));
  const most = mostOf([...owed, ...held].map(({ cents }) => cents ?? 0n));
  return { owed: stepsOf(owed, most), held: stepsOf(held, most) };
}
