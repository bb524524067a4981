import { shortDayOf } from '../../domain/dates.ts';
import { ChartFrame, useWidth } from './chart-frame.tsx';
import { type Books, flowSentence } from './sums.ts';

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
                    <text x={Math.min(middle, widthPx - 18)} y={footPx + 18} textAnchor="middle">
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
