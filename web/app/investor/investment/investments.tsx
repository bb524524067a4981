import { fetchsingleinvestment } from '@tallystick/contract/investment';
import type { ReactNode } from 'react';
import { useListAddress, wishesOf } from '../../domain/lists/list-address.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { ListPager, ListSearch } from '../../domain/lists/list-tools.tsx';
import { useLive } from '../../domain/live.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Empty, NoHits } from '../../ui/lists/empty.tsx';
import { FilterChips, Segments } from '../../ui/lists/filter.tsx';
import { usePhone } from '../../ui/phone.ts';
import { InvestmentBlocks, InvestmentTable } from './investment-list.tsx';

const statuses = ['all', 'completed', 'ongoing'] as const;
type Status = (typeof statuses)[number];

const names: Record<Status, string> = { all: 'All', completed: 'Completed', ongoing: 'Ongoing' };

function statusOf(text: string | null): Status {
  return statuses.find((status) => status === text) ?? 'all';
}

/** The investments as the address wishes to see them. */
export function useInvestments(userid: string) {
  const { params, change, page, search } = useListAddress();
  const status = statusOf(params.get('status'));
  const wishes = { status, ...wishesOf({ search }) };
  const query = useLive(
    fetchsingleinvestment,
    { params: { userid }, query: { page: String(page), ...wishes } },
    'Error fetching investments:',
  );
  return { query, search, status, wishes, change };
}

type View = ReturnType<typeof useInvestments>;
type Counts = { ongoing: number; completed: number } | undefined;

function Tools({ view, counts, beside }: { view: View; counts: Counts; beside: ReactNode }) {
  const { status, change } = view;
  const isPhone = usePhone();
  const countOf: Record<Status, number | null> = {
    all: counts ? counts.ongoing + counts.completed : null,
    completed: counts?.completed ?? null,
    ongoing: counts?.ongoing ?? null,
  };
  const filter = {
    label: 'Status',
    choices: statuses.map((value) => ({ value, name: names[value], count: countOf[value] })),
    value: status,
    onChoose: (value: Status) => change({ status: value === 'all' ? '' : value, page: '' }),
  };
  const field = <ListSearch label="Search by Transaction ID" />;
  if (isPhone) {
    return (
      <>
        {field}
        <FilterChips {...filter} />
      </>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-4 border-b border-line px-6 py-4.5">
      {field}
      <div className="max-desktop:ml-auto">{beside}</div>
      <Segments {...filter} className="desktop:ml-auto" />
    </div>
  );
}

interface InvestmentsProps {
  view: View;
  counts: Counts;
  /** Beside the search on a wide screen. */
  exportLink: ReactNode;
  addButton: ReactNode;
}

export function Investments({ view, counts, exportLink, addButton }: InvestmentsProps) {
  const { query, search, status, change } = view;
  const isPhone = usePhone();
  const tools = <Tools view={view} counts={counts} beside={exportLink} />;
  const empty =
    search || status !== 'all' ? (
      <NoHits
        title={search ? 'No investment with that ID' : `Nothing is ${status} yet`}
        text={search ? 'The search looks at the transaction ID only.' : 'Look at all of them instead.'}
        onClear={() => change({ search: '', status: '', page: '' })}
      />
    ) : (
      <Empty title="No investments yet" text="Your first investment will appear here.">
        {addButton}
      </Empty>
    );
  return (
    <>
      {isPhone && tools}
      <Card aria-label="Investments">
        {!isPhone && tools}
        <LiveList
          query={query}
          rows={query.data?.investment}
          ifFailed="Your investments could not be fetched. Nothing about them has changed."
          empty={empty}
          skeleton={{ height: 'h-[173px]' }}
          phone={(rows) => <InvestmentBlocks investments={rows} />}
          wide={(rows) => <InvestmentTable investments={rows} />}
        >
          <ListPager label="Pages of investments" query={query} />
        </LiveList>
      </Card>
    </>
  );
}
