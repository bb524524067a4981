import { type Cents, formatUsd } from '@tallystick/contract/money';
import './split-bar.css';

interface SplitBarProps {
  availableCents: Cents;
  investedCents: Cents;
  withdrawingCents: Cents;
  togetherCents: Cents;
}

const fills = { available: 'bg-accent-text', invested: 'bg-(--bar2)', withdrawing: 'split-hatch' };

/** How everything is divided: as a bar, and in figures beside it. */
export function SplitBar({ availableCents, investedCents, withdrawingCents, togetherCents }: SplitBarProps) {
  const parts = [
    { name: 'available', cents: availableCents },
    { name: 'invested', cents: investedCents },
    { name: 'withdrawing', cents: withdrawingCents },
  ] as const;
  const words = `Of everything together: ${formatUsd(availableCents)} available, ${formatUsd(investedCents)} invested, ${formatUsd(withdrawingCents)} being withdrawn`;
  return (
    <div>
      <div role="img" aria-label={words} className="flex h-5 rounded-[5px] empty:bg-line">
        {parts
          .filter(({ cents }) => cents > 0n)
          .map(({ name, cents }) => (
            <i
              key={name}
              className={`split-part block min-w-5 basis-0 ${fills[name]}`}
              style={{ flexGrow: Number(cents) / Number(togetherCents) }}
            />
          ))}
      </div>
      <dl className="mt-2.5 grid tabular-nums tablet:mt-4 tablet:grid-cols-3">
        <Part name="Invested" cents={investedCents} swatch="bg-(--bar2)" />
        <Part
          name="Being withdrawn"
          cents={withdrawingCents}
          swatch="split-hatch inset-ring inset-ring-(--text-3)"
        />
        <Part name="Everything together" cents={togetherCents} />
      </dl>
    </div>
  );
}

function Part({ name, cents, swatch }: { name: string; cents: Cents; swatch?: string }) {
  const isTotal = swatch === undefined;
  return (
    <div
      className={`border-line max-tablet:flex max-tablet:items-center max-tablet:justify-between max-tablet:py-[9px] max-tablet:not-first:border-t tablet:not-first:border-l tablet:not-first:pl-5 ${isTotal ? 'max-tablet:border-line-strong' : ''}`}
    >
      <dt
        className={`flex items-center gap-2 text-control tablet:text-label ${isTotal ? 'font-label' : 'text-2'}`}
      >
        {swatch && <i className={`size-2.5 shrink-0 rounded-[3px] ${swatch}`} />}
        {name}
      </dt>
      <dd className="text-body font-semibold tracking-[-0.015em] tablet:mt-[3px] tablet:text-[1.1875rem]/6.5">
        {formatUsd(cents)}
      </dd>
    </div>
  );
}
