import { shortDayOf } from '../../domain/dates.ts';
import { ChartFrame, shortUsd, useWidth } from './chart-frame.tsx';
import { type Books, flowSentence, peakSentence, type Week } from './sums.ts';

const labelPxMin = 54;
const barPxMax = 14;

/** Two bars a day. Every so many days has its date beneath it, counted back from today. */
export function DayChart({ days }: { days: Books['days'] }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const largest = Math.max(...days.flatMap(({ deposits, withdrawals }) => [deposits, withdrawals]), 0);
  return (
    <div ref={ref}>
      {width > 0 && (
        <ChartFrame label={flowSentence(days)} width={width} height={200} feetPx={24} largest={largest}>
          {({ widthPx, footPx, heightOf }) => {
            const slot = widthPx / Math.max(days.length, 1);
            const bar = Math.min(slot * 0.36, barPxMax);
            const everyDays = Math.max(Math.ceil(labelPxMin / slot), 1);
            return days.map(({ day, deposits, withdrawals }, index) => {
              const middle = slot * (index + 0.5);
              const isLabelled = (days.length - 1 - index) % everyDays === 0;
              return (
                <g key={day}>
                  <Bar x={middle - bar - 0.5} width={bar} foot={footPx} height={heightOf(deposits)} isIn />
                  <Bar x={middle + 0.5} width={bar} foot={footPx} height={heightOf(withdrawals)} />
                  {isLabelled && (
                    <text x={middle} y={footPx + 18} textAnchor="middle">
                      {shortDayOf(day)}
                    </text>
                  )}
                </g>
              );
            });
          }}
        </ChartFrame>
      )}
    </div>
  );
}

interface BarProps {
  x: number;
  width: number;
  foot: number;
  height: number;
  isIn?: boolean;
}

function Bar({ x, width, foot, height, isIn = false }: BarProps) {
  if (height <= 0) return null;
  const shown = Math.max(height, 2);
  const colour = isIn ? 'var(--accent-text)' : 'var(--text)';
  return <rect x={x} y={foot - shown} width={width} height={shown} fill={colour} />;
}

const slotPxMin = 50;
const gapPx = 1.5;
const partPxMin = 2;

/** As many weeks as the screen has room for; the table has them all. */
export function WeekChart({ weeks, at, onAll }: { weeks: readonly Week[]; at: string; onAll: () => void }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const room = Math.max(Math.floor((width - slotPxMin) / slotPxMin), 1);
  const shown = weeks.slice(0, room);
  const largest = Math.max(...shown.map(({ principal, profit }) => principal + profit), 0);
  const next = weeks.findIndex(({ monday }) => Date.parse(monday) > Date.parse(at));
  return (
    <div ref={ref}>
      {width > 0 && (
        <ChartFrame
          label={peakSentence(shown)}
          width={width}
          height={width < 500 ? 236 : 300}
          largest={largest}
        >
          {({ widthPx, footPx, heightOf }) =>
            shown.map((week, index) => (
              <WeekBar
                key={week.monday}
                week={week}
                isNext={index === next}
                note={index === next ? 'Next' : index === next - 1 ? 'Now' : null}
                middle={(widthPx / shown.length) * (index + 0.5)}
                barWidth={Math.min((widthPx / shown.length) * 0.64, 72)}
                footPx={footPx}
                heightOf={heightOf}
              />
            ))
          }
        </ChartFrame>
      )}
      {shown.length < weeks.length && (
        <p className="mt-1 text-caption text-2">
          {shown.length} of {weeks.length} weeks.{' '}
          <button type="button" onClick={onAll} className="min-h-6 font-semibold text-accent-text underline">
            Show all as table
          </button>
        </p>
      )}
    </div>
  );
}

interface WeekBarProps {
  week: Week;
  isNext: boolean;
  note: string | null;
  middle: number;
  barWidth: number;
  footPx: number;
  heightOf: (dollars: number) => number;
}

/** A part that is there is never too thin to see. */
const drawn = (height: number) => (height > 0 ? Math.max(height, partPxMin) : 0);

function WeekBar({ week, isNext, note, middle, barWidth, footPx, heightOf }: WeekBarProps) {
  const principal = drawn(heightOf(week.principal));
  const profit = drawn(heightOf(week.profit));
  const left = middle - barWidth / 2;
  const profitTop = footPx - principal - gapPx - profit;
  return (
    <g>
      <rect
        x={left}
        y={footPx - principal}
        width={barWidth}
        height={principal}
        fill={isNext ? 'var(--text)' : 'var(--accent-text)'}
      />
      <rect x={left} y={profitTop} width={barWidth} height={profit} fill="var(--bar2)" />
      {week.count > 0 && (
        <text x={middle} y={profitTop - 7} textAnchor="middle" fill="var(--text)" fontWeight={600}>
          {shortUsd(week.principal + week.profit)}
        </text>
      )}
      <text x={middle} y={footPx + 18} textAnchor="middle">
        {shortDayOf(week.monday)}
      </text>
      {note && (
        <text x={middle} y={footPx + 34} textAnchor="middle" fill="var(--text)" fontWeight={600}>
          {note}
        </text>
      )}
    </g>
  );
}
