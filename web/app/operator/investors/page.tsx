import { operatorPageSize } from '@tallystick/contract/operator/fields';
import { investors as investorsCall } from '@tallystick/contract/operator/investors';
import { pageMeta } from '../../brand.ts';
import { addressOfPage, pageOf, useLastPage, useListAddress } from '../../domain/lists/list-address.ts';
import { ListStates, NotRefreshed, SkeletonRows, SkeletonTable } from '../../domain/lists/list-states.tsx';
import { useLive } from '../../domain/live.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { SearchField } from '../../ui/forms/search-field.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty, NoHits } from '../../ui/lists/empty.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { usePhone } from '../../ui/phone.ts';
import { counted } from '../facts/wording.ts';
import { InvestorRows, InvestorTable, investorCaption, investorColumns } from './investor-list.tsx';

export function meta() {
  return pageMeta('Investors', 'Who has an account, and what is in it.');
}

function useInvestors() {
  const { params, change } = useListAddress();
  const page = pageOf(params.get('page'));
  const search = (params.get('search') ?? '').slice(0, 100);
  const wish = search.trim();
  const query = useLive(
    investorsCall,
    { query: { page: String(page), ...(wish && { search: wish }) } },
    'Error fetching investors:',
  );
  return { query, page, pages: useLastPage(query, page, change), search, change };
}

export default function Investors() {
  const { query, page, pages, search, change } = useInvestors();
  const { data, isError, refetch, dataUpdatedAt } = query;
  const isPhone = usePhone();
  const List = isPhone ? InvestorRows : InvestorTable;
  return (
    <>
      <PageHead title="Investors" note={data && !search ? counted(data.total, 'account') : ''} />
      <Card aria-label="Investors" className="overflow-hidden">
        <div className="border-b border-line p-4 tablet:px-6 tablet:py-4.5 [&_search]:w-full tablet:[&_search]:w-105">
          <SearchField
            label={isPhone ? 'Name, e-mail or transaction ID' : 'Name, e-mail, ID or transaction ID'}
            value={search}
            onSearch={(text) => change({ search: text, page: '' }, { replace: true })}
          />
        </div>
        <ListStates
          count={data?.investors.length}
          hasFailed={isError}
          ifFailed="The investors could not be fetched. Nothing about them has changed."
          onRetry={refetch}
          skeleton={
            isPhone ? (
              <SkeletonRows height="h-[88px]" />
            ) : (
              <SkeletonTable caption={investorCaption} columns={investorColumns} />
            )
          }
          empty={
            search ? (
              <NoHits
                title="No investor found"
                text="The search looks at names, e-mail addresses, whole ids and transaction ids."
                onClear={() => change({ search: '', page: '' })}
              />
            ) : (
              <Empty title="No investors yet" text="Whoever signs up on the site appears here." />
            )
          }
        >
          <List investors={data?.investors ?? []} />
        </ListStates>
        <Pager
          key={data ? 'known' : 'waiting'}
          label="Pages of investors"
          page={page}
          pages={pages}
          total={data?.total ?? null}
          size={operatorPageSize}
          onPage={(to) => change({ page: addressOfPage(to) })}
        />
        {isError && data && <NotRefreshed since={dataUpdatedAt} onRetry={refetch} />}
      </Card>
    </>
  );
}
