import { useId } from 'react';
import type { ShownEntry, ShownRecord } from '../../../sample-record/record.ts';

const floor = 478;
const notchStep = 42;
const notchHalf = 9;

interface Half {
  x: number;
  width: number;
  /** Height of the top's left corner; the top rises to the right by `rise`. */
  top: number;
  rise: number;
  notches: number;
  depth: number;
  side: 'left' | 'right';
}

/** Where the line's highest point may be, and how far beneath the line a stick ends. */
const lineTop = 84;
const clearance = 44;
/** The middles of the first and the last of the narrow pairs. */
const narrowFrom = 83;
const narrowTo = 365;
const wideAt = 494;

interface Station extends Pick<ShownEntry, 'day'> {
  x: number;
  /** Height of the line here: what the balance was after the entry, as a part of the most it ever was. */
  y: number;
  /** One for each entry up to this one. */
  notches: number;
}

/** What the picture says of the sample record; nothing where there is none. */
function matchText({ entries, matching }: ShownRecord): string {
  return entries.length === 0 ? '' : `${matching} of ${entries.length} notches match`;
}

/** One place for each entry, from left to right; the newest stands apart. */
function stationsOf({ entries }: ShownRecord): Station[] {
  const most = Math.max(...entries.map(({ balance }) => balance), 1);
  const step = (narrowTo - narrowFrom) / Math.max(entries.length - 2, 1);
  return entries.map(({ day, balance }, index) => ({
    day,
    x: index === entries.length - 1 ? wideAt : Math.round(narrowFrom + step * index),
    y: Math.round(floor - ((floor - lineTop) * balance) / most),
    notches: index + 1,
  }));
}

function halvesOf({ x, y, notches }: Station): Half[] {
  const top = y + clearance;
  if (x === wideAt) {
    const wide = { width: 36, rise: 8, notches, depth: 14 };
    return [
      { x: x - 58, top: top + 8, side: 'left', ...wide },
      { x: x + 22, top: top - 8, side: 'right', ...wide },
    ];
  }
  const narrow = { width: 27, rise: 6, notches, depth: 11 };
  return [
    { x: x - 29, top: top + 3, side: 'left', ...narrow },
    { x: x + 2, top: top - 4, side: 'right', ...narrow },
  ];
}

/** Notches are counted from the floor; listed from the top, the way the outline is drawn. */
function notchHeights(count: number): number[] {
  return Array.from({ length: count }, (_, index) => floor - 40 - notchStep * (count - 1 - index));
}

function outline({ x, width, top, rise, notches, depth, side }: Half): string {
  const right = x + width;
  const heights = notchHeights(notches);
  if (side === 'left') {
    const cuts = heights.map((y) => `V${y - notchHalf}L${right - depth} ${y}L${right} ${y + notchHalf}`);
    return `M${x} ${top}L${right} ${top - rise}${cuts.join('')}V${floor}H${x}Z`;
  }
  const cuts = heights.reverse().map((y) => `V${y + notchHalf}L${x + depth} ${y}L${x} ${y - notchHalf}`);
  return `M${x} ${top}L${right} ${top - rise}V${floor}H${x}${cuts.join('')}Z`;
}

function HalfStick({ half, gradient }: { half: Half; gradient: string }) {
  const id = useId();
  const { x, width, top, rise, side } = half;
  const shape = outline(half);
  const fibre = (at: number, wander: number) =>
    `M${x + width * at} ${top - rise}C${x + width * at + wander} ${top + 80} ${x + width * at - wander} ${floor - 90} ${x + width * at + wander / 2} ${floor}`;
  return (
    <>
      <clipPath id={id}>
        <path d={shape} />
      </clipPath>
      <path d={shape} fill={`url(#${gradient})`} />
      <g clipPath={`url(#${id})`}>
        <path
          d={fibre(0.16, 2) + fibre(0.45, -2) + fibre(0.7, 1)}
          fill="none"
          stroke="#7B5228"
          strokeOpacity=".34"
        />
        <rect
          x={x}
          y={top - rise}
          width="2.5"
          height={floor - top + rise}
          fill="#FBE6C4"
          opacity={side === 'left' ? 0.75 : 0.25}
        />
        <rect
          x={x + width - 2.5}
          y={top - rise}
          width="2.5"
          height={floor - top + rise}
          fill="#5E3C1A"
          opacity={side === 'left' ? 0.25 : 0.55}
        />
      </g>
      <path d={`M${x} ${top}l${width} ${-rise}v5l${-width} ${rise}Z`} fill="#F6DDB2" />
    </>
  );
}

/**
 * The sample record as split sticks: one for each entry, with a notch for each that was written by then, under a line
 * along the balance. The newest pair stands apart so that its notches can be seen to match; those that do not are not
 * joined, and the count says so. Everything in the picture is computed from the record.
 */
export function HeroArt({ record }: { record: ShownRecord }) {
  const id = useId();
  const stations = stationsOf(record);
  return (
    <svg
      viewBox="0 0 600 560"
      className="block w-full rounded-panel"
      role="img"
      aria-label={`The sample record below as split tally sticks, one for each entry, under a line along its balance. ${matchText(record)}`}
    >
      <defs>
        <linearGradient id={`${id}-left`}>
          <stop offset="0" stopColor="#EBCB9C" />
          <stop offset="1" stopColor="#D2A56C" />
        </linearGradient>
        <linearGradient id={`${id}-right`}>
          <stop offset="0" stopColor="#CFA068" />
          <stop offset="1" stopColor="#A97842" />
        </linearGradient>
      </defs>
      <rect width="600" height="560" fill="var(--ink)" />
      <path d="M40 382H568M40 286H568M40 190H568M40 94H568" stroke="var(--ink-line)" strokeOpacity=".8" />
      {stations.flatMap(halvesOf).map((half) => (
        <HalfStick key={half.x} half={half} gradient={`${id}-${half.side}`} />
      ))}
      <Line stations={stations} matching={record.matching} />
      <Captions stations={stations} matches={matchText(record)} />
    </svg>
  );
}

interface LineProps {
  stations: readonly Station[];
  matching: number;
}

function Line({ stations, matching }: LineProps) {
  const newest = stations.at(-1);
  // Listed from the top, and the oldest notch is the lowest.
  const joined = notchHeights(newest?.notches ?? 0).slice(stations.length - matching);
  const along = stations.map(({ x, y }, index) => {
    const before = stations[index - 1];
    if (!before) return `M${x} ${y}`;
    const middle = (before.x + x) / 2;
    return `C${middle} ${before.y} ${middle} ${y} ${x} ${y}`;
  });
  return (
    <g stroke="#9DB8FF" strokeLinecap="round">
      <path
        d={joined.map((y) => `M${wideAt - 32} ${y}H${wideAt + 32}`).join('')}
        strokeWidth="1.5"
        strokeDasharray="2 4"
      />
      <path d={along.join('')} fill="none" strokeWidth="3" />
      {stations.map(({ x, y }) => (
        <circle
          key={x}
          cx={x}
          cy={y}
          r={x === wideAt ? 7 : 5}
          fill={x === wideAt ? '#fff' : 'var(--ink)'}
          strokeWidth="3"
        />
      ))}
    </g>
  );
}

interface CaptionsProps {
  stations: readonly Station[];
  matches: string;
}

/** Larger where the picture is small. */
function Captions({ stations, matches }: CaptionsProps) {
  return (
    <g
      className="text-[20px] desktop:text-[14px]"
      fontWeight="500"
      fill="var(--on-ink-2)"
      textAnchor="middle"
    >
      <path d="M32 478H568" stroke="#3A4C82" strokeWidth="1.5" />
      <text x="40" y="46" textAnchor="start">
        Balance of the sample record
      </text>
      {stations.slice(0, -1).map(({ day, x }) => (
        <text key={x} x={x} y="506">
          {day}
        </text>
      ))}
      <text x={wideAt - 40} y="506" fontWeight="600" fill="var(--on-ink)">
        Yours
      </text>
      <text x={wideAt + 40} y="506" fontWeight="600" fill="var(--on-ink)">
        Ours
      </text>
      <text x="568" y="532" textAnchor="end">
        {matches}
      </text>
    </g>
  );
}
