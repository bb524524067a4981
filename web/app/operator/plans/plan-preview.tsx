import { PlanCard } from '../../domain/plans/plan-card.tsx';
import { type DraftInput, previewOf } from './draft.ts';

/** The card as visitors will see it, while it is being written. Its button leads nowhere from here. */
export function PlanPreview({ typed }: { typed: DraftInput }) {
  const plan = previewOf(typed);
  return (
    <section aria-label="As visitors will see it" className="max-w-[380px] desktop:max-w-none">
      <p className="mb-3 text-label text-2">As visitors will see it</p>
      {plan ? (
        <PlanCard plan={plan}>
          <span className="inline-flex min-h-11 items-center justify-center rounded-control bg-accent-tint text-control font-semibold text-accent-text">
            Get Started
          </span>
        </PlanCard>
      ) : (
        <p className="grid min-h-60 place-items-center rounded-card border border-dashed border-line-strong p-7 text-center text-control text-2">
          The card appears once all five fields can be read.
        </p>
      )}
    </section>
  );
}
