import { fetchsingleinvestment } from '@tallystick/contract/investment';
import type { Cents } from '@tallystick/contract/money';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callApi } from '../../api.ts';
import { centsOf } from '../../domain/amount.ts';
import { useLive } from '../../domain/live.ts';
import { Card } from '../../ui/card.tsx';
import { Money } from '../../ui/money.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useSummary } from '../balance.ts';

type Status = 'ongoing' | 'completed';

/** Beyond a hundred investments the browser does not add them up one page after the other. */
const addedPagesMax = 20;

function useCount(userid: string, status: Status) {
  const query = { status, page: '1' } as const;
  return useLive(fetchsingleinvestment, { params: { userid }, query }, 'Error fetching investments:').data;
}

/** How many there are of each kind. */
export function useCounts(userid: string) {
  const ongoing = useCount(userid, 'ongoing');
  const completed = useCount(userid, 'completed');
  if (!ongoing || !completed) return undefined;
  return { ongoing: ongoing.total ?? 0, completed: completed.total ?? 0 };
}

type Counts = ReturnType<typeof useCounts>;

/**
 * The profit of all investments of a kind. Their terms are frozen at purchase, so the sum changes only when one is
 * added or matures: it is taken again when the counts say so. Null where there are too many to add up here.
 */
function useProfit(userid: string, status: Status, counts: Counts) {
  return useQuery({
    queryKey: ['profit', userid, status, counts],
    enabled: counts !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    placeholderData: (previous) => previous,
    queryFn: async (): Promise<Cents | null> => {
      const pageOf = (page: number) =>
        callApi(
          fetchsingleinvestment,
          { params: { userid }, query: { status, page: String(page) } },
          { background: true },
        );
      const first = await pageOf(1);
      const pages = first.pages ?? 1;
      if (pages > addedPagesMax) return null;
      const rest = await Promise.all(Array.from({ length: pages - 1 }, (_, index) => pageOf(index + 2)));
      const all = [first, ...rest].flatMap(({ investment }) => investment);
      return all.reduce((sum, { profit }) => sum + centsOf(profit), 0n);
    },
  });
}

export function Sums({ userid, counts }: { userid: string; counts: Counts }) {
  const invested = useSummary();
  const due = useProfit(userid, 'ongoing', counts);
  const paid = useProfit(userid, 'completed', counts);
  return (
    <Card
      aria-label="Sums"
      className="grid tablet:grid-cols-3 tablet:*:not-first:border-l max-tablet:*:not-first:border-t *:border-line"
    >
      <Sum name="Invested now" failed={invested.isError}>
        {invested.data && <Money cents={centsOf(invested.data.invested)} />}
      </Sum>
      <Sum name="Profit due at maturity" failed={due.isError}>
        {due.data !== undefined && <Added cents={due.data} />}
      </Sum>
      <Sum name="Profit paid so far" failed={paid.isError}>
        {paid.data !== undefined && <Added cents={paid.data} />}
      </Sum>
    </Card>
  );
}

function Added({ cents }: { cents: Cents | null }) {
  if (cents !== null) return <Money cents={cents} />;
  return <span className="text-label font-normal tracking-normal text-3">Too many to add up here</span>;
}

function Sum({ name, failed, children }: { name: string; failed: boolean; children: ReactNode }) {
  return (
    <dl className="px-5 py-3 max-tablet:flex max-tablet:items-center max-tablet:justify-between tablet:px-7 tablet:py-5">
      <dt className="text-label text-2">{name}</dt>
      <dd className="flow-root min-h-6 text-[1.0625rem]/6 font-semibold tracking-[-0.02em] tablet:min-h-7.5 tablet:text-[1.5rem]/7.5">
        {children || (failed ? <NotKnown /> : <Skeleton className="mt-1.5 h-4 w-28" />)}
      </dd>
    </dl>
  );
}

function NotKnown() {
  return <span className="text-label font-normal tracking-normal text-3">Not known right now</span>;
}
