import { useId, useState } from 'react';
import { useNow } from '../../domain/now.ts';
import { SelectFilter } from '../../ui/lists/filter.tsx';
import { dayIn, type Period, type Preset, periodOf, presetOf, presets, withDay } from './period.ts';

type Wish = Preset | 'days';

/** A few periods by name, and any days one likes. */
export function PeriodFilter({ period, onChoose }: { period: Period; onChoose: (period: Period) => void }) {
  const today = dayIn(useNow());
  const [isChoosing, setChoosing] = useState(false);
  const named = presetOf(period, today);
  const value: Wish = isChoosing ? 'days' : (named ?? 'days');

  function choose(wish: Wish) {
    setChoosing(wish === 'days');
    if (wish === 'days') onChoose({ from: period.from || periodOf('month', today).from, to: today });
    else onChoose(periodOf(wish, today));
  }

  return (
    <>
      <SelectFilter<Wish>
        label="Period"
        choices={[...presets, { value: 'days', name: 'Days that I choose' }]}
        value={value}
        onChoose={choose}
        className="w-full tablet:w-50"
      />
      {value === 'days' && (
        <fieldset className="flex w-full gap-2.5 tablet:w-auto">
          <legend className="sr-only">Days</legend>
          {(['from', 'to'] as const).map((end) => (
            <DayField
              key={end}
              label={end === 'from' ? 'From' : 'To'}
              value={period[end]}
              max={today}
              onChange={(day) => onChoose(withDay(period, end, day))}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}

interface DayFieldProps {
  label: string;
  value: string;
  max: string;
  onChange: (day: string) => void;
}

function DayField({ label, value, max, onChange }: DayFieldProps) {
  const id = useId();
  return (
    <div className="flex h-12 min-w-0 flex-1 items-center gap-2 rounded-control bg-surface pr-2 pl-3.5 inset-ring inset-ring-line-strong focus-within:inset-ring-2 focus-within:inset-ring-accent-text tablet:h-11">
      <label htmlFor={id} className="text-label text-3">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={value}
        max={max}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="min-w-0 flex-1 bg-transparent text-body tabular-nums outline-none tablet:text-control"
      />
    </div>
  );
}
