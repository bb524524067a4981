import { fetchrequests } from '@tallystick/contract/funding';
import { fetchwithdrawals } from '@tallystick/contract/withdrawal';
import { addressOfPage, pageOf, useLastPage, useListAddress } from '../../domain/lists/list-address.ts';
import { ListStates, NotRefreshed, SkeletonRows, SkeletonTable } from '../../domain/lists/list-states.tsx';
import { useLive } from '../../domain/live.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Segments } from '../../ui/lists/filter.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { usePhone } from '../../ui/phone.ts';
import {
  asListed,
  type ListedRequest,
  RequestRows,
  RequestTable,
  requestCaption,
  requestColumns,
} from './request-list.tsx';

const kinds = [
  { value: 'deposits', name: 'Deposits' },
  { value: 'withdrawals', name: 'Withdrawals' },
] as const;

/** What was asked for and what became of it, in every state. */
export function Requests() {
  const { params, change } = useListAddress();
  const kind = params.get('requests') === 'withdrawals' ? 'withdrawals' : 'deposits';
  const List = kind === 'deposits' ? Deposits : Withdrawals;
  return (
    <Card aria-labelledby="requests">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-5 py-4 tablet:px-6">
        <h2 id="requests" className="text-body/5.5 tracking-[-0.01em]">
          Requests
        </h2>
        <Segments
          label="Kind of request"
          choices={kinds}
          value={kind}
          onChoose={(value) => change({ requests: value === 'deposits' ? '' : value, requestspage: '' })}
        />
      </div>
      <List />
    </Card>
  );
}

function Deposits() {
  const page = pageOf(useListAddress().params.get('requestspage'));
  const query = useLive(fetchrequests, { query: { page: String(page) } }, 'Error fetching funding requests:');
  return (
    <RequestList
      query={query}
      page={page}
      requests={query.data?.request.map(asListed.deposit)}
      empty="No deposit was announced yet. Those that you announce are listed here."
    />
  );
}

function Withdrawals() {
  const page = pageOf(useListAddress().params.get('requestspage'));
  const query = useLive(fetchwithdrawals, { query: { page: String(page) } }, 'Error fetching withdrawals:');
  return (
    <RequestList
      query={query}
      page={page}
      requests={query.data?.withdrawal.map(asListed.withdrawal)}
      empty="No withdrawal was asked for yet. Those that you ask for are listed here."
    />
  );
}

interface RequestListProps {
  query: {
    data: { pages?: number | undefined; total?: number | undefined } | undefined;
    isError: boolean;
    isPlaceholderData: boolean;
    dataUpdatedAt: number;
    refetch: () => void;
  };
  page: number;
  requests: ListedRequest[] | undefined;
  empty: string;
}

function RequestList({ query, page, requests, empty }: RequestListProps) {
  const { change } = useListAddress();
  const isPhone = usePhone();
  const { data, isError, refetch, dataUpdatedAt } = query;
  const pages = useLastPage(query, page, change, 'requestspage');

  const skeleton = isPhone ? (
    <SkeletonRows height="h-[75px]" />
  ) : (
    <SkeletonTable caption={requestCaption} columns={requestColumns} />
  );
  return (
    <>
      <ListStates
        count={requests?.length}
        hasFailed={isError}
        ifFailed="Your requests could not be fetched. Nothing about them has changed."
        onRetry={refetch}
        skeleton={skeleton}
        empty={<p className="px-6 py-7 text-center text-control text-2">{empty}</p>}
      >
        {isPhone ? <RequestRows requests={requests ?? []} /> : <RequestTable requests={requests ?? []} />}
      </ListStates>
      <Pager
        // A new one when the rows come: it has its place from then on, and never moves.
        key={data ? 'known' : 'waiting'}
        label="Pages of requests"
        page={page}
        pages={pages}
        total={data?.total ?? null}
        onPage={(to) => change({ requestspage: addressOfPage(to) })}
      />
      {isError && data && <NotRefreshed since={dataUpdatedAt} onRetry={refetch} />}
    </>
  );
}
