import { fetchbalance } from '@tallystick/contract/funding';
import { useEffect } from 'react';
import { csvOf, ExportLink } from '../../domain/lists/export-link.tsx';
import { addressOfPage, pageOf, useListAddress } from '../../domain/lists/list-address.ts';
import { ListStates, NotRefreshed, SkeletonRows, SkeletonTable } from '../../domain/lists/list-parts.tsx';
import { useLive } from '../../domain/live.ts';
import { Button } from '../../ui/actions/button.tsx';
import { SearchField } from '../../ui/forms/search-field.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty, NoHits } from '../../ui/lists/empty.tsx';
import { FilterChips, SelectFilter } from '../../ui/lists/filter.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { usePhone } from '../../ui/phone.ts';
import { useOpenModal } from '../money-modals.tsx';
import { EntryRows, EntryTable, entryCaption, entryColumns } from './entry-list.tsx';

/** The wallet's entries as the address wishes to see them. */
export function useEntries() {
  const { params, change } = useListAddress();
  const page = pageOf(params.get('page'));
  const search = (params.get('search') ?? '').slice(0, 100);
  const fundingtype = (params.get('fundingtype') ?? '').slice(0, 100);
  const wishes = { ...(search.trim() && { search: search.trim() }), ...(fundingtype && { fundingtype }) };
  const query = useLive(
    fetchbalance,
    { query: { page: String(page), ...wishes } },
    'Error fetching balance:',
  );
  const { data, isPlaceholderData } = query;
  const pages = data?.pages ?? 1;

  // An address from yesterday may name a page that is gone.
  useEffect(() => {
    if (data && !isPlaceholderData && page > pages) change({ page: addressOfPage(pages) }, { replace: true });
  }, [data, isPlaceholderData, page, pages, change]);

  return { query, page, pages, search, fundingtype, change, csv: csvOf(fetchbalance.path, wishes) };
}

type EntriesView = ReturnType<typeof useEntries>;

function Tools({ view }: { view: EntriesView }) {
  const { query, search, fundingtype, change } = view;
  const isPhone = usePhone();
  const known = query.data?.fundingtypes ?? [];
  const types = fundingtype && !known.includes(fundingtype) ? [...known, fundingtype] : known;
  const choices = [
    { value: '', name: isPhone ? 'All' : 'All funding types' },
    ...types.map((type) => ({ value: type, name: type })),
  ];
  const filter = {
    label: 'Funding type',
    choices,
    value: fundingtype,
    onChoose: (value: string) => change({ fundingtype: value, page: '' }),
  };
  const field = (
    <SearchField
      label="Search by funding type"
      value={search}
      onSearch={(text) => change({ search: text, page: '' }, { replace: true })}
    />
  );
  if (isPhone) {
    return (
      <>
        {field}
        <FilterChips {...filter} />
      </>
    );
  }
  return (
    <div className="flex items-center gap-3 border-b border-line px-6 py-4.5">
      {field}
      <SelectFilter {...filter} className="w-44 shrink-0 desktop:w-58" />
      <div className="ml-auto">
        <ExportLink href={view.csv} />
      </div>
    </div>
  );
}

export function Entries({ view }: { view: EntriesView }) {
  const { query, page, pages, search, fundingtype, change } = view;
  const isPhone = usePhone();
  const { data, isError, refetch, dataUpdatedAt } = query;
  const entries = data?.balance ?? [];
  const open = useOpenModal();
  return (
    <>
      {isPhone && <Tools view={view} />}
      <Card aria-label="Entries">
        {!isPhone && <Tools view={view} />}
        <ListStates
          count={data?.balance.length}
          hasFailed={isError}
          ifFailed="Your entries could not be fetched. Nothing about them has changed."
          onRetry={refetch}
          skeleton={
            isPhone ? (
              <SkeletonRows height="h-[75px]" />
            ) : (
              <SkeletonTable caption={entryCaption} columns={entryColumns} />
            )
          }
          empty={
            search || fundingtype ? (
              <NoHits
                title="No entry of that type"
                text="The search looks at the funding type only."
                onClear={() => change({ search: '', fundingtype: '', page: '' })}
              />
            ) : (
              <Empty title="No entries yet" text="Your first confirmed deposit will appear here.">
                <Button look="primary" onClick={() => open('fund')}>
                  Fund Wallet
                </Button>
              </Empty>
            )
          }
        >
          {isPhone ? <EntryRows entries={entries} /> : <EntryTable entries={entries} />}
        </ListStates>
        <Pager
          // A new one when the rows come: it has its place from then on, and never moves.
          key={data ? 'known' : 'waiting'}
          label="Pages of entries"
          page={page}
          pages={pages}
          total={data?.total ?? null}
          onPage={(to) => change({ page: addressOfPage(to) })}
        />
        {isError && data && <NotRefreshed since={dataUpdatedAt} onRetry={refetch} />}
      </Card>
    </>
  );
}
