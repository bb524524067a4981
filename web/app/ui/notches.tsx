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
