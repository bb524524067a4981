import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { RowIcon } from '../../ui/layout/card.tsx';
import { Small } from '../../ui/lists/table.tsx';

interface WaitingRowProps {
  Icon: LucideIcon;
  title: string;
  text: string;
  amount: string | null;
  action?: ReactNode;
  /** Stands under the text. */
  note?: ReactNode;
  /** Opens beneath the row. */
  children?: ReactNode;
}

/** Something that waits. Its title changes by itself, and whoever cannot see that hears it. */
export function WaitingRow({ Icon, title, text, amount, action, note, children }: WaitingRowProps) {
  return (
    <div className="px-5 py-3 tablet:px-6">
      <div className="grid grid-cols-[36px_minmax(0,1fr)_auto] items-center gap-x-4 max-tablet:items-start max-tablet:gap-x-3 tablet:grid-cols-[36px_minmax(0,1fr)_auto_144px]">
        <div className="max-tablet:row-span-2">
          <RowIcon Icon={Icon} />
        </div>
        <div className="max-tablet:contents">
          <b aria-live="polite" className="block text-control/5 font-label">
            {title}
          </b>
          <div className="max-tablet:col-span-2 max-tablet:col-start-2 max-tablet:row-start-2">
            <Small>{text}</Small>
            {note}
          </div>
        </div>
        <span className="text-right text-control/5 font-semibold max-tablet:col-start-3 max-tablet:row-start-1">
          {amount}
        </span>
        <div className="flex justify-end max-tablet:col-span-2 max-tablet:col-start-2 max-tablet:mt-2.5 max-tablet:justify-start max-tablet:empty:hidden">
          {action}
        </div>
      </div>
      {children}
    </div>
  );
}

export const askedAt = (iso: string) => `Asked ${dayOf(iso)}, ${timeOf(iso)}.`;

export const smallButton = 'text-label tablet:min-h-9 tablet:rounded-small tablet:px-3.5';
