import type { PostCard } from '../../../posts/posts.ts';
import { Stick } from '../../ui/brand/stick.tsx';

interface CoverProps {
  art: PostCard['cover'];
  /** Drawn for a small square instead of cut out of the wide picture. */
  square?: boolean;
  /** A strip through the middle of the wide picture. */
  panorama?: boolean;
  className: string;
}

const arts = {
  halves: { ground: 'var(--ink)', Wide: WideHalves, Square: SquareHalves },
  days: { ground: 'var(--accent-tint)', Wide: WideDays, Square: SquareDays },
  falling: { ground: 'var(--cover)', Wide: WideFalling, Square: SquareFalling },
};

/** The picture of a post: decoration, so it has no words. */
export function Cover({ art, square = false, panorama = false, className }: CoverProps) {
  const { ground, Wide, Square } = arts[art];
  const viewBox = square ? '0 0 112 112' : panorama ? '0 40 400 130' : '0 0 400 208';
  return (
    <svg
      viewBox={viewBox}
      preserveAspectRatio="xMidYMid slice"
      className={`block ${className}`}
      aria-hidden="true"
    >
      <rect width="400" height="208" fill={ground} />
      {square ? <Square /> : <Wide />}
    </svg>
  );
}

function WideHalves() {
  return (
    <Stick
      x={44}
      y={46}
      half={52}
      gap={12}
      upperEnd={444}
      lowerEnd={344}
      notchWidth={15}
      notchDepth={34}
      notches={[84, 124, 164, 240, 280]}
      bleeds
    />
  );
}

function SquareHalves() {
  return (
    <Stick
      x={18}
      y={28}
      half={24}
      gap={6}
      upperEnd={112}
      lowerEnd={90}
      notchWidth={9}
      notchDepth={16}
      notches={[40, 64]}
      bleeds
    />
  );
}

interface Days {
  first: number;
  step: number;
  count: number;
  /** Days that have passed. */
  passed: number;
  foot: number;
  top: number;
  tall: number;
  width: number;
}

function DayBars({ first, step, count, passed, foot, top, tall, width }: Days) {
  const bars = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => {
      const day = from + index;
      return `M${first + step * day} ${foot}V${day % 5 === 4 ? tall : top}`;
    }).join('');
  return (
    <g stroke="var(--accent-text)" strokeWidth={width}>
      <path d={bars(0, passed)} />
      <path d={bars(passed, count)} strokeOpacity=".32" />
    </g>
  );
}

function WideDays() {
  return (
    <>
      <DayBars first={41} step={11} count={30} passed={18} foot={128} top={80} tall={64} width={5} />
      <path d="M38.5 144H365" stroke="var(--accent-text)" strokeWidth="1.5" />
      <path d="M239 54v90" stroke="var(--text)" strokeWidth="2" />
      <circle cx="239" cy="50" r="5" fill="var(--text)" />
    </>
  );
}

function SquareDays() {
  return (
    <>
      <DayBars first={20} step={8} count={10} passed={7} foot={72} top={44} tall={34} width={4} />
      <path d="M16 80H96" stroke="var(--accent-text)" strokeWidth="1.5" />
    </>
  );
}

function WideFalling() {
  return (
    <>
      <path d="M40 160H360" stroke="var(--cover-line)" strokeOpacity=".35" strokeWidth="1.5" />
      <path
        d="M40 96H360"
        stroke="var(--cover-line)"
        strokeWidth="1.5"
        strokeDasharray="2 6"
        strokeLinecap="round"
      />
      <FallingLine d="M40 96L76 74 108 84 142 54 180 70 214 58 246 104 272 96 304 138 330 126 360 148" />
      <circle cx="360" cy="148" r="6" fill="var(--accent-text)" />
      <circle cx="40" cy="96" r="6" fill="var(--cover)" stroke="var(--accent-text)" strokeWidth="3" />
    </>
  );
}

function SquareFalling() {
  return (
    <>
      <path d="M18 82H94" stroke="var(--cover-line)" strokeOpacity=".35" strokeWidth="1.5" />
      <path
        d="M18 52H94"
        stroke="var(--cover-line)"
        strokeWidth="1.5"
        strokeDasharray="2 5"
        strokeLinecap="round"
      />
      <FallingLine d="M18 52L32 40 44 46 56 32 68 54 78 50 94 74" />
      <circle cx="94" cy="74" r="4.5" fill="var(--accent-text)" />
    </>
  );
}

function FallingLine({ d }: { d: string }) {
  return (
    <path
      d={d}
      fill="none"
      stroke="var(--accent-text)"
      strokeWidth="3.5"
      strokeLinejoin="round"
      strokeLinecap="round"
    />
  );
}
