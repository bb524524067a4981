import type { ComponentProps, ReactNode } from 'react';
import { Table } from '../../ui/lists/table.tsx';

/** Operators read many rows: they are lower than an investor's. */
export function ConsoleTable(table: ComponentProps<typeof Table>) {
  return (
    <div className={table.children ? '[&_tbody_:is(td,th)]:h-16' : ''}>
      <Table {...table} />
    </div>
  );
}

export interface Fact {
  name: string;
  value: ReactNode;
  /** Long values take both columns. */
  isWide?: boolean;
}

/** A table's row on a phone: two columns of label over value. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2.5 tabular-nums">
      {facts.map(({ name, value, isWide = false }) => (
        <div key={name} className={`min-w-0 ${isWide ? 'col-span-2' : ''}`}>
          <dt className="text-caption text-3">{name}</dt>
          <dd className="text-control/5 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
