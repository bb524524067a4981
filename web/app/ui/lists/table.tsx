import type { ComponentProps, ReactNode } from 'react';
import { Skeleton } from './skeleton.tsx';

/**
 * A table has the room of its card, and nothing in it is ever out of sight: where the card is tight, and again where
 * it is narrow, a column gives way, and what stood in it is taken over as a line of another cell. Phones have lists
 * of their own.
 */
export const givesWay = { tight: '@max-wide/table:hidden', narrow: '@max-middle/table:hidden' };
export const takesOver = { tight: '@wide/table:hidden', narrow: '@middle/table:hidden' };

export interface Column {
  name: string;
  /** Numbers stand at the right, one under the other. */
  isNumber?: boolean;
  /** From which narrowness on it is gone; its cells bear the same. */
  gives?: keyof typeof givesWay | undefined;
  className?: string;
}

/** For the column that becomes the first or the last once its neighbour has given way. */
export const becomesEdge = { first: '@max-middle/table:pl-6!', last: '@max-middle/table:pr-6!' };

const closer = '@max-wide/table:px-2 @max-wide/table:first:pl-6 @max-wide/table:last:pr-6';

interface TableProps {
  /** Says what the table lists, for those who cannot see what stands around it. */
  caption: string;
  columns: readonly Column[];
  /** Undefined while the rows are on their way: then bars keep their places. */
  children: ReactNode;
}

export function Table({ caption, columns, children }: TableProps) {
  return (
    // Relative, so that what is hidden for screen readers only stays with its row instead of widening the page.
    <div className="@container/table relative overflow-x-auto">
      <table className="w-full text-left text-control/5 tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line">
            {columns.map(({ name, isNumber, gives, className = '' }) => (
              <th
                key={name}
                scope="col"
                className={`px-3 py-3 text-caption font-label whitespace-nowrap text-3 first:pl-6 last:pr-6 ${closer} ${isNumber ? 'text-right' : ''} ${gives ? givesWay[gives] : ''} ${className}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children ?? <WaitingRows columns={columns} />}</tbody>
      </table>
    </div>
  );
}

function WaitingRows({ columns }: { columns: readonly Column[] }) {
  return [1, 2, 3, 4, 5].map((row) => (
    <Row key={row}>
      {columns.map(({ name, isNumber, gives }) => (
        <Cell key={name} gives={gives}>
          <Skeleton className={`h-3.5 max-w-full ${isNumber ? 'ml-auto w-16' : 'w-28'}`} />
        </Cell>
      ))}
    </Row>
  ));
}

export function Row(props: ComponentProps<'tr'>) {
  return <tr className="border-line not-last:border-b hover:bg-sunken" {...props} />;
}

interface CellProps {
  isNumber?: boolean;
  /** The cell that names its row. */
  isHead?: boolean;
  /** As its column does. */
  gives?: Column['gives'];
  className?: string;
  children?: ReactNode;
}

export function Cell({ isNumber = false, isHead = false, gives, className = '', children }: CellProps) {
  const shape = `h-18 px-3 font-normal first:pl-6 last:pr-6 @max-wide/table:py-2 ${closer} ${isNumber ? 'text-right' : ''} ${gives ? givesWay[gives] : ''} ${className}`;
  if (!isHead) return <td className={shape}>{children}</td>;
  return (
    <th scope="row" className={shape}>
      {children}
    </th>
  );
}

/** The second line of a cell. */
export function Small({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <small className={`block text-caption text-3 ${className}`}>{children}</small>;
}
