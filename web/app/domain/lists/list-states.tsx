import type { ReactNode } from 'react';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { usePhone } from '../../ui/phone.ts';
import { momentOf } from '../dates.ts';

interface LiveListProps<T> {
  query: { isError: boolean; isPending: boolean; refetch: () => void; dataUpdatedAt: number };
  /** Undefined while no answer has come, and of an answer that is not as it should be. */
  rows: readonly T[] | undefined;
  /** Where more than the rows is shown, there may be something without any. */
  isEmpty?: boolean;
  ifFailed: string;
  empty: ReactNode;
  /** In the geometry of the phone's rows that will come. */
  skeleton: { height: string; count?: number };
  phone: (rows: readonly T[]) => ReactNode;
  /** A table, which keeps its own place while it has no rows. Without one, every screen has the phone's list. */
  wide?: (rows: readonly T[] | undefined) => ReactNode;
  /** Whether it says so when what it shows is not the newest. */
  tellsAge?: boolean;
  /** Beneath the rows. */
  children?: ReactNode;
}

/** A list is loading, failed, empty or there. What was there before stays while a newer answer is on its way. */
export function LiveList<T>(props: LiveListProps<T>) {
  const {
    query,
    rows,
    isEmpty = rows?.length === 0,
    ifFailed,
    empty,
    skeleton,
    phone,
    wide,
    children,
  } = props;
  const { refetch, dataUpdatedAt } = query;
  const table = usePhone() ? undefined : wide;
  const hasRows = rows !== undefined;
  // An answer without its list is none.
  const isError = query.isError || (!hasRows && !query.isPending);
  return (
    <>
      {hasRows && (isEmpty ? empty : (table ?? phone)(rows))}
      {!hasRows && isError && (
        <div className="p-4 tablet:p-6">
          <Failed onRetry={refetch}>{ifFailed}</Failed>
        </div>
      )}
      {!hasRows && !isError && (
        <div aria-busy="true">
          <p className="sr-only">Loading</p>
          {table ? table(undefined) : <SkeletonRows {...skeleton} />}
        </div>
      )}
      {children}
      {hasRows && isError && props.tellsAge !== false && (
        <NotRefreshed since={dataUpdatedAt} onRetry={refetch} />
      )}
    </>
  );
}

const rows = [1, 2, 3, 4, 5] as const;
const bar = 'h-3.5 max-w-full';

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
function NotRefreshed({ since, onRetry }: { since: number; onRetry: () => void }) {
  return (
    <div className="border-t border-line p-3 tablet:px-6">
      <Failed onRetry={onRetry}>{`As of ${momentOf(since)}. The newest could not be fetched.`}</Failed>
    </div>
  );
}
