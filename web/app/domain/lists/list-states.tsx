import type { ReactNode } from 'react';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { Cell, type Column, Row, Table } from '../../ui/lists/table.tsx';

interface ListStatesProps {
  /** How many rows came; undefined while no answer has come. */
  count: number | undefined;
  hasFailed: boolean;
  ifFailed: string;
  onRetry: () => void;
  /** In the geometry of the rows that will come. */
  skeleton: ReactNode;
  empty: ReactNode;
  children: ReactNode;
}

/** A list is loading, failed, empty or there. What was there before stays while a newer answer is on its way. */
export function ListStates(props: ListStatesProps) {
  const { count, hasFailed, ifFailed, onRetry, skeleton, empty, children } = props;
  if (count === undefined && hasFailed) {
    return (
      <div className="p-4 tablet:p-6">
        <Failed onRetry={onRetry}>{ifFailed}</Failed>
      </div>
    );
  }
  if (count === undefined) {
    return (
      <div aria-busy="true">
        <p className="sr-only">Loading</p>
        {skeleton}
      </div>
    );
  }
  return count === 0 ? empty : children;
}

const rows = [1, 2, 3, 4, 5] as const;
const bar = 'h-3.5 max-w-full';

export function SkeletonTable({ caption, columns }: { caption: string; columns: readonly Column[] }) {
  return (
    <Table caption={caption} columns={columns}>
      {rows.map((row) => (
        <Row key={row}>
          {columns.map(({ name, isNumber, gives }) => (
            <Cell key={name} gives={gives}>
              <Skeleton className={`${bar} ${isNumber ? 'ml-auto w-16' : 'w-28'}`} />
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}

/** `height` is that of the row that will stand there. */
export function SkeletonRows({ height, count = rows.length }: { height: string; count?: number }) {
  return rows.slice(0, count).map((row) => (
    <div
      key={row}
      className={`grid grid-cols-[36px_1fr_72px] items-center gap-3 border-line px-5 not-first:border-t ${height}`}
    >
      <Skeleton className="size-9" />
      <span>
        <Skeleton className={`${bar} w-3/5`} />
        <Skeleton className="mt-2 h-2.5 w-2/5" />
      </span>
      <Skeleton className={bar} />
    </div>
  ));
}

/** What is shown is not the newest, and says so. */
export function NotRefreshed({ since, onRetry }: { since: number; onRetry: () => void }) {
  const time = new Date(since).toISOString().slice(11, 16);
  return (
    <div className="border-t border-line p-3 tablet:px-6">
      <Failed
        onRetry={onRetry}
      >{`This is how it was at ${time} UTC. The newest could not be fetched.`}</Failed>
    </div>
  );
}
