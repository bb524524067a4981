import { fetchrequests } from '@tallystick/contract/funding';
import { paper, papers } from '@tallystick/contract/papers';
import { fetchwithdrawals } from '@tallystick/contract/withdrawal';
import { type ComponentProps, useState } from 'react';
import { callApi, fetchFile } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { counted, momentOf, timeOf } from '../../domain/dates.ts';
import { ExportLink } from '../../domain/lists/export-link.tsx';
import { pageOf, useListAddress } from '../../domain/lists/list-address.ts';
import { LiveList, SkeletonRows } from '../../domain/lists/list-states.tsx';
import { ListPager } from '../../domain/lists/list-tools.tsx';
import { useLive } from '../../domain/live.ts';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { type PaperSource, StatementsButton, StatementsModal } from '../../domain/papers/statements.tsx';
import { useSession } from '../../storage.ts';
import { TextLink } from '../../ui/actions/links.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Segments } from '../../ui/lists/filter.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { usePhone } from '../../ui/phone.ts';
import { useSummary } from '../money/balance.ts';
import { useIsAway } from '../offline/reach.ts';
import { type RecordState, useRecordCheck } from '../record/use-record-check.ts';
import { Entries, EntryTable, useEntries } from './entries.tsx';
import { asListed, type ListedRequest, RequestRows, RequestTable } from './request-list.tsx';
import { useWaiting, Waiting } from './waiting.tsx';

export const meta = () =>
  pageMeta('Transactions', 'Every entry of your wallet, and what waits to become one.');

const ownPapers: PaperSource = {
  key: 'own',
  span: (query) => callApi(papers, { query }, { inTurn: true }),
  file: (query) => fetchFile(paper, { query }),
};

export default function Transactions() {
  const waiting = useWaiting();
  const entries = useEntries();
  const [hasStatements, setStatements] = useState(false);
  const openStatements = () => setStatements(true);
  return (
    <>
      <Head csv={entries.csv} onStatements={openStatements} />
      {waiting.isPending ? (
        <WholeSkeleton />
      ) : (
        <>
          <Waiting waiting={waiting} />
          <Entries view={entries} onStatements={openStatements} />
          <Requests />
        </>
      )}
      {hasStatements && <StatementsModal source={ownPapers} onClose={() => setStatements(false)} />}
    </>
  );
}

const label = 'Total balance in USD';

interface FilesProps {
  csv: string;
  onStatements: () => void;
}

function Head(files: FilesProps) {
  const isPhone = usePhone();
  const userid = useSession()?._id ?? '';
  const { data, isError, dataUpdatedAt } = useSummary();
  const isAway = useIsAway();
  const since = data && (isError || isAway) && `As of ${momentOf(dataUpdatedAt)}`;
  const shown = data && { availableCents: centsOf(data.available), head: data.head };
  const record = useRecordCheck(userid, shown);
  const balance = data ? usd(data.available) : <NoBalance hasFailed={isError} />;
  if (isPhone) {
    return (
      <>
        <PageHead title="Transactions" beside={<Files {...files} />} />
        <Card aria-label={label} className="flex items-center justify-between gap-3 px-5 py-4">
          <p className="text-control text-2">
            {label}
            {since && <span className="block text-caption text-3 tabular-nums">{since}</span>}
          </p>
          <p className="flow-root min-h-7 text-[1.375rem]/7 font-semibold tracking-[-0.02em]">{balance}</p>
        </Card>
      </>
    );
  }
  return (
    <PageHead
      title="Transactions"
      note={data ? <RecordNote record={record} entries={data.entries} /> : ''}
      beside={
        <div className="text-right">
          <p className="text-control/5 text-2">{label}</p>
          <p className="flow-root min-h-9 text-figure font-semibold">{balance}</p>
          {since && <p className="text-caption text-3 tabular-nums">{since}</p>}
        </div>
      }
    />
  );
}

/** As icons, where there is no room for words. */
function Files({ csv, onStatements }: FilesProps) {
  return (
    <div className="flex">
      <StatementsButton onOpen={onStatements} isIcon />
      <ExportLink href={csv} isIcon />
    </div>
  );
}

/** Says that both halves match only when that was just computed. */
function RecordNote({ record, entries }: { record: RecordState; entries: number }) {
  const count = `${counted(entries, 'entry', 'entries')}.`;
  if (record.kind === 'match' && entries > 0) {
    return (
      <>
        {count} <TextLink to="/myproof">Both halves matched at {timeOf(record.at)}</TextLink>.
      </>
    );
  }
  if (record.kind !== 'mismatch') return count;
  return (
    <>
      {count} The two halves do not match: <TextLink to="/dashboard">see why</TextLink>.
    </>
  );
}

function NoBalance({ hasFailed }: { hasFailed: boolean }) {
  if (!hasFailed) return <Skeleton className="mt-2 ml-auto h-4 w-32" />;
  return <span className="text-label font-normal tracking-normal text-3">Not known right now</span>;
}

/**
 * Until it is known whether requests wait, nothing beneath them can have its place: then all of it comes at once,
 * and nothing jumps.
 */
function WholeSkeleton() {
  const isPhone = usePhone();
  return (
    <Card aria-busy="true" aria-label="Loading">
      {isPhone ? <SkeletonRows height="h-[75px]" /> : <EntryTable entries={undefined} />}
    </Card>
  );
}

const kinds = [
  { value: 'deposits', name: 'Deposits' },
  { value: 'withdrawals', name: 'Withdrawals' },
] as const;

/** What was asked for and what became of it, in every state. */
function Requests() {
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
