import type { ComponentProps } from 'react';
import { Table } from '../ui/table.tsx';

/** Operators read many rows: they are lower than an investor's, and opaque, so that one column can stay in sight. */
const rows =
  '[&_tbody_:is(td,th)]:h-16 [&_tr]:bg-surface [&_tbody_tr:hover]:bg-sunken max-desktop:[&_:is(td,th)]:px-2';
const stays =
  'max-desktop:[&_tr>:last-child]:sticky max-desktop:[&_tr>:last-child]:right-0 max-desktop:[&_tr>:last-child]:bg-inherit max-desktop:[&_tr>:last-child]:shadow-[-1px_0_0_var(--line)]';

/**
 * Between phone and desktop a column gives way: what stood in it becomes the second line of another, so that nothing
 * that matters has to be scrolled to.
 */
export const givesWay = 'max-desktop:hidden';
export const takesOver = 'desktop:hidden';

interface ConsoleTableProps extends ComponentProps<typeof Table> {
  /** The last column holds buttons: it stays at the right while the others scroll beneath it. */
  hasActions?: boolean;
}

export function ConsoleTable({ hasActions = false, ...table }: ConsoleTableProps) {
  return (
    <div className={`${rows} ${hasActions ? stays : ''}`}>
      <Table {...table} />
    </div>
  );
}
