import type { ReactNode } from 'react';
import { scaleOf, scaleUsd } from './chart-scale.ts';

export interface Plot {
  /** Where bars may stand, from the left. */
  widthPx: number;
  footPx: number;
  heightOf: (dollars: number) => number;
}

interface ChartFrameProps {
  /** What the picture shows, in a sentence. */
  label: string;
  width: number;
  height: number;
  largest: number;
  /** Room for what stands beneath the bars. */
  feetPx?: number;
  children: (plot: Plot) => ReactNode;
}

const scaleWidthPx = 48;
const headPx = 26;

/** The lines of the scale and their figures at the right; the bars are the caller's. */
export function ChartFrame({ label, width, height, largest, feetPx = 40, children }: ChartFrameProps) {
  const lines = scaleOf(largest);
  const top = lines.at(-1) || 1;
  const footPx = height - feetPx;
  const widthPx = Math.max(width - scaleWidthPx, 0);
  const heightOf = (dollars: number) => (dollars / top) * (footPx - headPx);
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="block fill-(--text-3) font-sans text-[12px] tabular-nums"
    >
      {lines.map((line) => {
        const y = footPx - heightOf(line);
        return (
          <g key={line}>
            <path
              d={`M0 ${y}H${widthPx}`}
              stroke="var(--line)"
              strokeDasharray={line === 0 ? undefined : '2 4'}
            />
            <text x={width} y={y + 4} textAnchor="end">
              {scaleUsd(line)}
            </text>
          </g>
        );
      })}
      {children({ widthPx, footPx, heightOf })}
    </svg>
  );
}
