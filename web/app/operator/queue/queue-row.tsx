import { coinOf } from '@tallystick/contract/networks';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Small } from '../../ui/lists/table.tsx';

interface SectionProps {
  title: string;
  /** Leads on to where more of it can be done. */
  beside?: ReactNode;
  children: ReactNode;
}

export function Section({ title, beside, children }: SectionProps) {
  return (
    <Card aria-label={title} className="overflow-hidden">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 pt-4 pb-3 tablet:px-6 tablet:pt-4.5">
        <h2 className="text-[1.125rem]/6 tracking-[-0.015em]">{title}</h2>
        {beside && <p className="text-label">{beside}</p>}
      </div>
      {children}
    </Card>
  );
}

/** Clear of the bars that stand still at the top and, on a phone, at the foot. */
const focusClass = 'scroll-mt-20 scroll-mb-20 -outline-offset-2 focus-visible:bg-accent-tint';

/** What makes an element a row of the queue: the keyboard walks over these, and finds them by their attribute. */
export const rowOf = (itemKey: string, className: string) => ({
  'data-queue-row': itemKey,
  tabIndex: -1,
  className: `${className} ${focusClass}`,
});

interface MethodCellProps {
  name: string;
  coin: string;
  /** In a table where it is tight the coin alone is seen; its name stays for those who cannot see it. */
  isNarrow?: boolean;
}

export function MethodCell({ name, coin, isNarrow = false }: MethodCellProps) {
  return (
    <span className="flex items-center gap-2.5">
      <CoinMark coin={coin} size={28} />
      <span className={isNarrow && coinOf(coin) ? '@max-wide/table:sr-only' : ''}>{name}</span>
    </span>
  );
}

export function Warning({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-start gap-1.5 text-label font-semibold">
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <span>{children}</span>
    </span>
  );
}

interface RowButtonsProps {
  /** What they are about, for those who hear the buttons one after the other. */
  about: string;
  /** Null where there is nothing to refuse. */
  no: { label: string; onClick: () => void } | null;
  yes: { label: string; isOff: boolean; onClick: () => void };
  /** What to know before pressing one of them, or why one is off. */
  note?: string | null;
}

export function RowButtons({ about, no, yes, note = null }: RowButtonsProps) {
  return (
    <>
      <div className="flex gap-2 tablet:justify-end @max-wide/table:gap-0.5 @max-middle/table:flex-col-reverse">
        {no && (
          <Button
            data-key="r"
            look="quiet"
            size="small"
            onClick={no.onClick}
            aria-label={`${no.label}, ${about}`}
            className="max-tablet:flex-1 max-tablet:inset-ring max-tablet:inset-ring-line-strong"
          >
            {no.label}
          </Button>
        )}
        <Button
          data-key="c"
          look="primary"
          size="small"
          disabled={yes.isOff}
          onClick={yes.onClick}
          aria-label={`${yes.label}, ${about}`}
          className="max-tablet:flex-1 tablet:min-w-23"
        >
          {yes.label}
        </Button>
      </div>
      {note && (
        <Small className="ml-auto whitespace-normal max-tablet:mt-2 tablet:mt-1 tablet:max-w-44 tablet:text-right @wide/table:max-w-68 @max-middle/table:max-w-30">
          {note}
        </Small>
      )}
    </>
  );
}
