import { fetchrequests } from '@tallystick/contract/funding';
import { fetchwithdrawals } from '@tallystick/contract/withdrawal';
import type { ComponentProps } from 'react';
import { pageOf, useListAddress } from '../../domain/lists/list-address.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { ListPager } from '../../domain/lists/list-tools.tsx';
import { useLive } from '../../domain/live.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Segments } from '../../ui/lists/filter.tsx';
import { asListed, type ListedRequest, RequestRows, RequestTable } from './request-list.tsx';

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
      requests={query.data?.withdrawal.map(asListed.withdrawal)}
      empty="No withdrawal was asked for yet. Those that you ask for are listed here."
    />
  );
}

interface RequestListProps {
  query: ComponentProps<typeof ListPager>['query'] & ComponentProps<typeof LiveList>['query'];
  requests: ListedRequest[] | undefined;
  empty: string;
}

function RequestList({ query, requests, empty }: RequestListProps) {
  return (
    <LiveList
      query={query}
      rows={requests}
      ifFailed="Your requests could not be fetched. Nothing about them has changed."
      empty={<p className="px-6 py-7 text-center text-control text-2">{empty}</p>}
      skeleton={{ height: 'h-[75px]' }}
      phone={(rows) => <RequestRows requests={rows} />}
      wide={(rows) => <RequestTable requests={rows} />}
    >
      <ListPager label="Pages of requests" query={query} name="requestspage" />
    </LiveList>
  );
}
