import type { Plan } from '@tallystick/contract/investment';
import { formatUsd } from '@tallystick/contract/money';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Stick } from '../../ui/brand/stick.tsx';
import { dollarsText, exampleAmount, notchesOf, paidBack, planRiskLine } from './plan-offer.ts';

const cardClass =
  'flex flex-col rounded-card bg-surface p-6 inset-ring inset-ring-line tablet:p-[22px] desktop:p-7';

/** A plan's terms, and in `children` what to do about it. */
export function PlanCard({ plan, children }: { plan: Plan; children: ReactNode }) {
  const example = exampleAmount(plan);
  const back = paidBack(example, plan.roi);
  const facts = [
    ['Duration', plan.duration === 1 ? '1 day' : `${plan.duration} days`],
    ['ROI for the term', `${plan.roi}%`],
    ...(back === null ? [] : [[`${dollarsText(example)} becomes`, formatUsd(back)]]),
  ];
  return (
    <article className={cardClass}>
      <PlanStick days={plan.duration} />
      <h3 className="text-title">{plan.planname}</h3>
      <p className="mt-1.5 text-figure font-semibold tabular-nums tablet:text-[clamp(19px,2.6vw,23px)]/[30px] desktop:text-figure">
        {dollarsText(plan.from)} <span className="font-normal text-3">–</span> {dollarsText(plan.to)}
      </p>
      <dl className="mt-[22px] border-t border-line text-control tabular-nums">
        {facts.map(([term, value]) => (
          <div key={term} className="flex justify-between gap-3 border-b border-line py-3">
            <dt className="text-2">{term}</dt>
            <dd className="font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-[18px] mb-[18px] grid grid-cols-[16px_1fr] gap-2 text-caption text-balance text-2">
        <TriangleAlert className="mt-px size-4" aria-hidden="true" />
        {planRiskLine}
      </p>
      <div className="mt-auto grid">{children}</div>
    </article>
  );
}

function PlanStick({ days }: { days: number }) {
  const count = notchesOf(days);
  return (
    <svg
      viewBox="0 0 320 38"
      preserveAspectRatio="xMinYMid meet"
      className="mb-[18px] block h-9 w-full tablet:mb-6"
      role="img"
      aria-label={`A stick with ${count} notches, ${days} days`}
    >
      <Stick
        half={17}
        gap={4}
        upperEnd={320}
        lowerEnd={284}
        notchWidth={8}
        notchDepth={11}
        notches={Array.from({ length: count }, (_, index) => 26 + 27 * index)}
      />
    </svg>
  );
}

/** As high as a card, so that nothing moves when the plan arrives. */
export function PlanCardWaiting() {
  return (
    <div className={cardClass} aria-hidden="true">
      <span className="skeleton mb-[18px] h-9 w-full tablet:mb-6" />
      <span className="skeleton h-6.5 w-24" />
      <span className="skeleton mt-2 h-8.5 w-48 max-w-full tablet:h-7 desktop:h-8.5" />
      <span className="skeleton mt-[22px] h-[142px]" />
      <span className="skeleton mt-[18px] mb-[18px] h-9" />
      <span className="skeleton h-11" />
    </div>
  );
}
