import type { ReactNode } from 'react';
import { Stick } from '../../ui/brand/stick.tsx';
import type { StepName } from './words.ts';

/** How a step stands, and how many seals are under the log. */
export interface PictureProps {
  isBroken: boolean;
  seals: number;
}

const wood = 'var(--color-hazel-hi)';
const faint = '#7E92C8';
const alarm = '#FF9186';

/** The five steps as pictures on ink. The words beside them say the same, so they are for the eye alone. */
export function Picture({ name, ...props }: PictureProps & { name: StepName }) {
  const Drawn = pictures[name];
  return (
    <svg
      viewBox="0 0 176 112"
      className="block w-full rounded-code"
      aria-hidden="true"
      data-broken={props.isBroken || undefined}
    >
      <rect width="176" height="112" fill="var(--ink)" />
      <Drawn {...props} />
    </svg>
  );
}

/** The two halves of a stick: their notches meet, or do not. */
function Halves({ isBroken }: PictureProps) {
  const notches = [40, 64, 88, 112];
  return (
    <Stick
      x={16}
      y={isBroken ? 16 : 22}
      half={30}
      gap={isBroken ? 20 : 8}
      upperEnd={160}
      lowerEnd={146}
      notchWidth={9}
      notchDepth={14}
      notches={notches}
      {...(isBroken && { lowerNotches: [34, 64, 100, 118] })}
    />
  );
}

const rows = [
  { y: 20, xs: [88] },
  { y: 46, xs: [52, 124] },
  { y: 72, xs: [34, 70, 106, 142] },
  { y: 96, xs: [25, 43, 61, 79, 97, 115, 133, 151] },
];
/** The own leaf and those above it, from the leaf up. */
const ownPath = [5, 2, 1, 0];

const pointAt = (row: number, at: number) => ({ x: rows[row]?.xs[at] ?? 0, y: rows[row]?.y ?? 0 });

/** A tree of sums, and the way of the own leaf up to the total. */
function Tree({ isBroken }: PictureProps) {
  const branches = rows.slice(1).flatMap(({ xs, y }, above) =>
    xs.map((x, at) => {
      const up = pointAt(above, Math.floor(at / 2));
      return `M${x} ${y}L${up.x} ${up.y}`;
    }),
  );
  const own = ownPath.map((at, climbed) => pointAt(rows.length - 1 - climbed, at));
  const reached = isBroken ? own.slice(0, 2) : own;
  const lost = isBroken ? own.slice(1, 3) : [];
  const line = (points: typeof own) =>
    points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  return (
    <>
      <path d={branches.join('')} stroke={faint} strokeWidth="1.5" opacity=".7" />
      <path d={line(reached)} fill="none" stroke={wood} strokeWidth="3.5" strokeLinejoin="round" />
      <path d={line(lost)} fill="none" stroke={alarm} strokeWidth="2.5" strokeDasharray="3 4" />
      {rows.flatMap(({ xs, y }, row) =>
        xs.map((x, at) => {
          const isOwn = ownPath[rows.length - 1 - row] === at && (!isBroken || row > 1);
          const size = row === 0 ? 20 : row === rows.length - 1 ? 11 : 9;
          return (
            <rect
              key={`${y} ${x}`}
              x={x - size / 2}
              y={y - size / 2}
              width={size}
              height={size}
              rx={row === 0 ? 5 : 2}
              fill={isOwn || (row === 0 && !isBroken) ? wood : 'var(--ink)'}
              stroke={isOwn || (row === 0 && !isBroken) ? wood : faint}
              strokeWidth="1.5"
            />
          );
        }),
      )}
      <text
        x="88"
        y="24.5"
        textAnchor="middle"
        fontSize="13"
        fontWeight="700"
        fill={isBroken ? faint : '#0D1A3B'}
      >
        $
      </text>
    </>
  );
}

interface BarShape {
  y: number;
  from: number;
  to: number;
  notches: readonly number[];
}

/** A stick with notches along its upper edge. */
function barOutline({ y, from, to, notches }: BarShape): string {
  const cuts = notches.map((x) => `H${x - 6}l6 12l6 -12`);
  return `M${from} ${y}${cuts.join('')}H${to}V${y + 28}H${from}Z`;
}

/** The log as a row of notches, one of which is the statement. */
function Log({ isBroken }: PictureProps) {
  const notches = [20, 44, 68, 92, 116, 140, 164];
  return (
    <>
      <path
        d={barOutline({
          y: 56,
          from: -4,
          to: 180,
          notches: isBroken ? notches.filter((x) => x !== 116) : notches,
        })}
        fill="#D2A56C"
      />
      <path d="M-4 82H180" stroke="#5E3C1A" strokeOpacity=".4" strokeWidth="4" />
      {isBroken ? (
        <path d="M110 57l6 11l6 -11" fill="none" stroke="#B3261E" strokeWidth="2.5" strokeDasharray="3 3" />
      ) : (
        <path d="M110 56l6 12l6 -12" fill="none" stroke="#fff" strokeWidth="2.5" strokeLinejoin="round" />
      )}
      <path d="M116 44V28" stroke={isBroken ? alarm : '#fff'} strokeWidth="2" />
      <path d="M111 39l5 6l5 -6" fill="none" stroke={isBroken ? alarm : '#fff'} strokeWidth="2" />
      <rect
        x="96"
        y="12"
        width="40"
        height="17"
        rx="5"
        fill="none"
        stroke={isBroken ? alarm : '#fff'}
        strokeWidth="1.5"
      />
      <path d="M103 18h26M103 23h16" stroke={isBroken ? alarm : '#fff'} strokeWidth="1.5" />
    </>
  );
}

/** The log as it was and as it is: the longer begins with all notches of the shorter. */
function Past({ isBroken }: PictureProps) {
  const before = [30, 54, 78, 102];
  const now = isBroken ? [30, 62, 78, 110, 130, 152] : [...before, 128, 150];
  return (
    <>
      <path d={barOutline({ y: 14, from: 14, to: 116, notches: before })} fill="#D2A56C" />
      <path d={barOutline({ y: 68, from: 14, to: 166, notches: now })} fill={wood} />
      {before.map((x) => {
        const isSame = now.includes(x);
        return (
          <path
            key={x}
            d={`M${x} 45V66`}
            stroke={isSame ? '#fff' : alarm}
            strokeWidth="2"
            strokeDasharray={isSame ? '2 3' : undefined}
          />
        );
      })}
      {isBroken && (
        <path d="M49 51l10 8M59 51l-10 8M97 51l10 8M107 51l-10 8" stroke={alarm} strokeWidth="2.5" />
      )}
    </>
  );
}

/** A sheet and the seals of those who signed it; a dashed ring is a seal that is not there. */
function Seals({ isBroken, seals }: PictureProps) {
  return (
    <>
      <rect x="26" y="14" width="124" height="60" rx="6" fill="#F3F6FD" />
      <path d="M40 30h70M40 40h96M40 50h52" stroke="#59657C" strokeWidth="3" strokeLinecap="round" />
      {[52, 88, 124].map((x, at) => (
        <Seal key={x} x={x} isThere={at < seals} isBroken={isBroken && at === 0} />
      ))}
    </>
  );
}

function Seal({ x, isThere, isBroken }: { x: number; isThere: boolean; isBroken: boolean }) {
  if (!isThere && !isBroken) {
    return (
      <circle cx={x} cy="80" r="13" fill="var(--ink)" stroke={faint} strokeWidth="2" strokeDasharray="3 4" />
    );
  }
  return (
    <>
      <circle cx={x} cy="80" r="15" fill={isBroken ? '#8E2A22' : '#A97842'} />
      <circle cx={x} cy="80" r="10.5" fill="none" stroke={isBroken ? alarm : wood} strokeWidth="1.5" />
      <path
        d={isBroken ? `M${x - 4} 76l8 8m0 -8l-8 8` : `M${x - 5} 80l4 4l6 -8`}
        fill="none"
        stroke={isBroken ? alarm : '#FBE6C4'}
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  );
}

const pictures: Record<StepName, (props: PictureProps) => ReactNode> = {
  chains: Halves,
  leaf: Tree,
  log: Log,
  consistency: Past,
  witnesses: Seals,
};
