import { useId } from 'react';

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

const months = [
  { name: 'Jul', x: 54, top: 334, notches: 2 },
  { name: 'Aug', x: 148, top: 258, notches: 4 },
  { name: 'Sep', x: 242, top: 294, notches: 3 },
  { name: 'Oct', x: 336, top: 188, notches: 6 },
];

const halves: Half[] = [
  ...months.flatMap(({ x, top, notches }): Half[] => [
    { x, width: 27, top, rise: 6, notches, depth: 11, side: 'left' },
    { x: x + 31, width: 27, top: top - 7, rise: 6, notches, depth: 11, side: 'right' },
  ]),
  { x: 436, width: 36, top: 114, rise: 8, notches: 8, depth: 14, side: 'left' },
  { x: 516, width: 36, top: 98, rise: 8, notches: 8, depth: 14, side: 'right' },
];

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

/** Four months as split sticks under a line; the newest pair stands apart so that its notches can be seen to match. */
export function HeroArt() {
  const id = useId();
  return (
    <svg
      viewBox="0 0 600 560"
      className="block w-full rounded-panel"
      role="img"
      aria-label="Five split tally sticks of rising and falling height under a line; the newest is drawn apart so that its notches can be seen to match"
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
      {halves.map((half) => (
        <HalfStick key={half.x} half={half} gradient={`${id}-${half.side}`} />
      ))}
      <Line />
      <Captions />
    </svg>
  );
}

function Line() {
  const stations = [
    [83, 288],
    [177, 212],
    [271, 248],
    [365, 142],
  ] as const;
  return (
    <g stroke="#9DB8FF" strokeLinecap="round">
      <path
        d={notchHeights(8)
          .map((y) => `M462 ${y}H526`)
          .join('')}
        strokeWidth="1.5"
        strokeDasharray="2 4"
      />
      <path
        d="M83 288C130 288 130 212 177 212C224 212 224 248 271 248C318 248 318 142 365 142C429.5 142 429.5 60 494 60"
        fill="none"
        strokeWidth="3"
      />
      {stations.map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r="5" fill="var(--ink)" strokeWidth="3" />
      ))}
      <circle cx="494" cy="60" r="7" fill="#fff" strokeWidth="3" />
    </g>
  );
}

function Captions() {
  return (
    <g fontSize="14" fontWeight="500" fill="var(--on-ink-2)" textAnchor="middle">
      <path d="M32 478H568" stroke="#3A4C82" strokeWidth="1.5" />
      {months.map(({ name, x }) => (
        <text key={name} x={x + 29} y="506">
          {name}
        </text>
      ))}
      <text x="454" y="506" fontWeight="600" fill="var(--on-ink)">
        Yours
      </text>
      <text x="534" y="506" fontWeight="600" fill="var(--on-ink)">
        Ours
      </text>
      <text x="494" y="528">
        8 of 8 notches match
      </text>
    </g>
  );
}
