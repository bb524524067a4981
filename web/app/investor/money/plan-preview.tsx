import type { Plan } from '@tallystick/contract/investment';
import { type Cents, formatUsd, parseAmount, profitOf } from '@tallystick/contract/money';
import type { CSSProperties } from 'react';
import { localTimeOf, longDayOf, timeOf } from '../../domain/dates.ts';
import { useNow } from '../../domain/now.ts';
import { dollarsText, maturityOf } from '../../domain/plans/plan-offer.ts';

/** What the plan fixes. */
export function PlanFacts({ plan }: { plan: Plan }) {
  const facts = [
    { name: 'Range', value: `${dollarsText(plan.from)} – ${dollarsText(plan.to)}` },
    { name: 'Duration', value: `${plan.duration} DAYS` },
    { name: 'ROI', value: `${plan.roi}%` },
  ];
  return (
    <dl className="grid grid-cols-[1.5fr_1fr_1fr] rounded-control bg-sunken tabular-nums inset-ring inset-ring-line max-[350px]:grid-cols-2 max-[350px]:*:first:col-span-2">
      {facts.map(({ name, value }) => (
        <div key={name} className="border-line px-3 py-[11px] not-first:border-l tablet:px-3.5">
          <dt className="text-caption text-3">{name}</dt>
          <dd className="text-control font-semibold whitespace-nowrap">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const notchMiddles = [34, 68];
const leftNotches = notchMiddles.map((y) => `100% ${y - 8}px, calc(100% - 8px) ${y}px, 100% ${y + 8}px`);
const rightNotches = notchMiddles.toReversed().map((y) => `0 ${y + 8}px, 8px ${y}px, 0 ${y - 8}px`);
const leftHalf: CSSProperties = {
  clipPath: `polygon(0 0, 100% 0, ${leftNotches.join(', ')}, 100% 100%, 0 100%)`,
};
const rightHalf: CSSProperties = {
  clipPath: `polygon(0 0, 100% 0, 100% 100%, 0 100%, ${rightNotches.join(', ')})`,
};

/** The two sides of the deal, to the cent, before it is made. */
export function PlanPreview({ plan, amountCents }: { plan: Plan; amountCents: Cents }) {
  const now = useNow();
  const roiPoints = parseAmount(plan.roi);
  if (roiPoints === null) return null;
  const profitCents = profitOf(amountCents, Number(roiPoints));
  const maturesAt = maturityOf(now, plan.duration);
  const local = localTimeOf(maturesAt);
  return (
    <div className="grid gap-4.5 tabular-nums">
      <div className="grid grid-cols-2 gap-2">
        <div style={leftHalf} className="rounded-l-code bg-sunken p-4 tablet:px-5">
          <p className="text-label text-2">You pay</p>
          <Figure cents={amountCents} />
          <p className="text-caption text-3">today</p>
        </div>
        <div style={rightHalf} className="rounded-r-code bg-ink py-4 pr-4 pl-6 text-on-ink tablet:pl-7">
          <p className="text-label text-on-ink-2">You receive</p>
          <Figure cents={amountCents + profitCents} />
          <p className="text-caption text-on-ink-2">{formatUsd(profitCents)} profit</p>
        </div>
      </div>
      <div className="flex flex-wrap justify-between gap-x-4 text-control">
        <p className="text-2">Matures on</p>
        <p className="ml-auto text-right">
          <b className="block font-semibold">
            {longDayOf(maturesAt)}, {timeOf(maturesAt)}
          </b>
          {local && <span className="block text-caption text-3">{local}, by your clock</span>}
        </p>
      </div>
    </div>
  );
}

function Figure({ cents }: { cents: Cents }) {
  return (
    <p className="text-[1.1875rem]/8 font-semibold tracking-[-0.02em] min-[380px]:text-[1.375rem]/8 tablet:text-[1.5rem]/8">
      {formatUsd(cents)}
    </p>
  );
}
