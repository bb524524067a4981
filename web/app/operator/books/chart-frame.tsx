import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';

interface Plot {
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
              stroke="var(--color-line)"
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

/** The heights a chart draws lines at, from nought to the first round figure that is not below the largest value. */
export function scaleOf(largest: number, steps = 4): number[] {
  if (!(largest > 0)) return [0];
  const raw = largest / steps;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw) ?? 10 * power;
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, index) => index * step);
}

/** `$48.9k`, `$1.2m`: for the top of a bar, where the table has the cents. */
export function shortUsd(dollars: number): string {
  if (dollars >= 999_950) return `$${(dollars / 1_000_000).toFixed(1)}m`;
  if (dollars >= 999.5) return `$${(dollars / 1000).toFixed(1)}k`;
  return `$${dollars.toFixed(0)}`;
}

/** The same for a line of the scale, whose figures are round already. */
export function scaleUsd(dollars: number): string {
  const [size, unit] = dollars >= 1_000_000 ? [1_000_000, 'm'] : dollars >= 1000 ? [1000, 'k'] : [1, ''];
  return `$${Number((dollars / size).toFixed(2))}${unit}`;
}

/** How wide an element is now: a chart drawn at its own size keeps its letters readable on every screen. */
export function useWidth<E extends HTMLElement>(): [RefObject<E | null>, number] {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
