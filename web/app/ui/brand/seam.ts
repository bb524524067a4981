import type { CSSProperties } from 'react';

const notchHalfPx = 11;
const notchDepthPx = 12;

/**
 * Cuts diamond notches into one of two facing edges, at the heights of their middles. The style carries the shape in
 * `--seam`, so that a class can say on which screens it is cut.
 */
export function seamStyle(half: 'left' | 'right', heightsPx: readonly number[]): CSSProperties {
  const edge = (depth: number) => (half === 'left' ? `calc(100% - ${depth}px)` : `${depth}px`);
  const notches = heightsPx.flatMap((y) => [
    `${edge(0)} ${y - notchHalfPx}px`,
    `${edge(notchDepthPx)} ${y}px`,
    `${edge(0)} ${y + notchHalfPx}px`,
  ]);
  const corners =
    half === 'left'
      ? ['0 0', '100% 0', ...notches, '100% 100%', '0 100%']
      : ['0 0', '100% 0', '100% 100%', '0 100%', ...notches.reverse()];
  return { '--seam': `polygon(${corners.join(',')})` } as CSSProperties;
}
