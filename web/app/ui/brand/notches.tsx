/** Progress in steps: those behind, the present one, those ahead. The text always stands beside it. */
export function Steps({ now, of }: { now: number; of: number }) {
  const text = `Step ${now} of ${of}`;
  return (
    <div className="mb-5 flex items-center gap-3 text-caption text-3">
      <span aria-hidden="true" className="flex h-3.5 w-15 gap-1">
        {Array.from({ length: of }, (_, index) => index + 1).map((step) => (
          <i key={step} className={`flex-1 ${colourOf(step, now)}`} />
        ))}
      </span>
      {text}
    </div>
  );
}

function colourOf(step: number, now: number): string {
  if (step < now) return 'bg-accent-text';
  return step === now ? 'bg-notch-now' : 'bg-notch-rest';
}

const barsMax = 30;

/** How many of as many as are needed. The words always stand beside it. */
export function CountNotches({ count, of }: { count: number; of: number }) {
  const bars = Math.min(of, barsMax);
  const now = Math.floor((count / of) * bars) + 1;
  return (
    <span aria-hidden="true" className="flex h-3 w-full max-w-36 gap-0.5">
      {Array.from({ length: bars }, (_, index) => index + 1).map((bar) => (
        <i key={bar} className={`min-w-0.5 flex-1 ${colourOf(bar, now)}`} />
      ))}
    </span>
  );
}

interface DaysProps {
  day: number;
  of: number;
  isDone: boolean;
  className?: string;
}

/** Progress to maturity: one bar a day, or thirty scaled to a longer term. The words always stand beside it. */
export function DayNotches({ day, of, isDone, className = 'h-3.5' }: DaysProps) {
  const bars = Math.min(of, barsMax);
  const now = isDone ? bars + 1 : Math.ceil((day / of) * bars);
  return (
    <span
      role="img"
      aria-label={isDone ? `All ${of} days` : `Day ${day} of ${of}`}
      className={`flex gap-0.5 ${className}`}
    >
      {Array.from({ length: bars }, (_, index) => index + 1).map((bar) => (
        <i key={bar} className={`min-w-0.5 flex-1 ${colourOf(bar, now)}`} />
      ))}
    </span>
  );
}
