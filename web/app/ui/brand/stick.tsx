import { useId } from 'react';
import { type StickShape, stickOutlines } from './stick-outline.ts';

/** A tally stick, split along its length: illustration only, never a control. */
export function Stick(shape: StickShape) {
  const { x = 0, y = 0, half, gap, upperEnd, lowerEnd } = shape;
  const id = useId();
  const lowerTop = y + half + gap;
  const { upper, lower } = stickOutlines(shape);
  return (
    <>
      <defs>
        <WoodGradient id={`${id}-light`} from="#EBCB9C" to="#D5A970" />
        <WoodGradient id={`${id}-shade`} from="#CFA068" to="#A97842" />
        <clipPath id={`${id}-upper`}>
          <path data-outline="upper" d={upper} />
        </clipPath>
        <clipPath id={`${id}-lower`}>
          <path data-outline="lower" d={lower} />
        </clipPath>
      </defs>
      <path data-outline="upper" d={upper} fill={`url(#${id}-light)`} />
      <g clipPath={`url(#${id}-upper)`}>
        <path d={grain(x, upperEnd, y, half)} fill="none" stroke="#7B5228" strokeOpacity=".32" />
        <rect x={x} y={y} width={upperEnd - x} height={half * 0.05} fill="#FBE6C4" />
      </g>
      <path data-outline="lower" d={lower} fill={`url(#${id}-shade)`} />
      <g clipPath={`url(#${id}-lower)`}>
        <path d={grain(x, lowerEnd, lowerTop, half)} fill="none" stroke="#6B4520" strokeOpacity=".34" />
        <rect
          x={x}
          y={lowerTop + half * 0.94}
          width={lowerEnd - x}
          height={half * 0.06}
          fill="#5E3C1A"
          opacity=".45"
        />
      </g>
    </>
  );
}

function WoodGradient({ id, from, to }: { id: string; from: string; to: string }) {
  return (
    <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stopColor={from} />
      <stop offset="1" stopColor={to} />
    </linearGradient>
  );
}

/** Where the fibres run, as shares of the half's height: left end and how far each one wanders. */
const fibres = [
  [0.1, -0.06],
  [0.3, 0.09],
  [0.46, -0.08],
  [0.66, 0.03],
  [0.85, 0.05],
] as const;

function grain(from: number, to: number, top: number, half: number): string {
  const third = (to - from) * 0.3;
  // Thin sticks show every other fibre, or they would look striped.
  const shown = half < 30 ? fibres.filter((_, index) => index % 2 === 0) : fibres;
  return shown
    .map(([share, wander]) => {
      const y = top + half * share;
      const bend = half * wander;
      return `M${from} ${y}C${from + third} ${y - bend} ${from + 2 * third} ${y + bend} ${to} ${y - bend / 2}`;
    })
    .join('');
}
