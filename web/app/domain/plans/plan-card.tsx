import type { Plan } from '@tallystick/contract/investment';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Stick } from '../../ui/brand/stick.tsx';
import {
  daysPerNotch,
  type PlanTexts,
  planRiskLine,
  planStick,
  planTexts,
  stickLabel,
} from './plan-offer.ts';

const cardClass =
  'flex flex-col rounded-card bg-surface p-6 inset-ring inset-ring-line tablet:p-[22px] desktop:p-7';

interface PlanCardProps {
  /** Without one the card is a form: `data-text` and `data-outline` name what a script writes where. */
  plan?: Plan;
  /** What to do about it. */
  children: ReactNode;
}

/** A plan's terms. */
export function PlanCard({ plan, children }: PlanCardProps) {
  const texts: Partial<PlanTexts> = plan ? planTexts(plan) : {};
  return (
    <article className={cardClass}>
      <PlanStick days={plan?.duration ?? daysPerNotch} />
      <h3 data-text="name" className="text-title">
        {texts.name}
      </h3>
      <p className="mt-1.5 text-figure font-semibold tabular-nums tablet:text-[clamp(19px,2.6vw,23px)]/[30px] desktop:text-figure">
        <span data-text="from">{texts.from}</span> <span className="font-normal text-3">–</span>{' '}
        <span data-text="to">{texts.to}</span>
      </p>
      <dl className="mt-[22px] border-t border-line text-control tabular-nums">
        <div className={factClass}>
          <dt className="text-2">Duration</dt>
          <dd data-text="duration" className="font-semibold">
            {texts.duration}
          </dd>
        </div>
        <div className={factClass}>
          <dt className="text-2">ROI for the term</dt>
          <dd data-text="roi" className="font-semibold">
            {texts.roi}
          </dd>
        </div>
        {texts.example !== null && (
          <div data-optional className={factClass}>
            <dt data-text="example" className="text-2">
              {texts.example}
            </dt>
            <dd data-text="becomes" className="font-semibold">
              {texts.becomes}
            </dd>
          </div>
        )}
      </dl>
      {texts.exit !== null && (
        <p data-optional className="mt-3.5 -mb-1 text-caption text-pretty text-2 tabular-nums">
          <span data-text="exit">{texts.exit}</span>
        </p>
      )}
      <p className="mt-auto mb-[18px] pt-[18px] grid grid-cols-[16px_1fr] gap-2 text-caption text-balance text-2">
        <TriangleAlert className="mt-px size-4" aria-hidden="true" />
        {planRiskLine}
      </p>
      <div className="grid">{children}</div>
    </article>
  );
}

const factClass = 'flex justify-between gap-3 border-b border-line py-3';

function PlanStick({ days }: { days: number }) {
  return (
    <svg
      viewBox="0 0 320 38"
      preserveAspectRatio="xMinYMid meet"
      className="mb-[18px] block h-9 w-full tablet:mb-6"
      role="img"
      aria-label={stickLabel(days)}
    >
      <Stick {...planStick(days)} />
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
