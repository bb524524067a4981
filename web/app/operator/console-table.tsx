import type { ComponentProps } from 'react';
import { Table } from '../ui/lists/table.tsx';

/** Operators read many rows: they are lower than an investor's. */
export function ConsoleTable(table: ComponentProps<typeof Table>) {
  return (
    <div className="[&_tbody_:is(td,th)]:h-16">
      <Table {...table} />
    </div>
  );
}
