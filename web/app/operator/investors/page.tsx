import { operatorPageSize } from '@tallystick/contract/operator/fields';
import { investors as investorsCall } from '@tallystick/contract/operator/investors';
import { pageMeta } from '../../brand.ts';
import { counted } from '../../domain/dates.ts';
import { useListAddress, wishesOf } from '../../domain/lists/list-address.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { ListPager, ListSearch } from '../../domain/lists/list-tools.tsx';
import { useLive } from '../../domain/live.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty, NoHits } from '../../ui/lists/empty.tsx';
import { usePhone } from '../../ui/phone.ts';
import { InvestorRows, InvestorTable } from './investor-list.tsx';

export const meta = () => pageMeta('Investors', 'Who has an account, and what is in it.');

export default function Investors() {
  const { change, page, search } = useListAddress();
  const query = useLive(
    investorsCall,
    { query: { page: String(page), ...wishesOf({ search }) } },
    'Error fetching investors:',
  );
  const { data } = query;
  const isPhone = usePhone();
  return (
    <>
      <PageHead title="Investors" note={data && !search ? counted(data.total, 'account') : ''} />
      <Card aria-label="Investors" className="overflow-hidden">
        <div className="border-b border-line p-4 tablet:px-6 tablet:py-4.5 [&_search]:w-full tablet:[&_search]:w-105">
          <ListSearch
            label={
              isPhone ? 'Name, e-mail, ID or address' : 'Name, e-mail, ID, transaction ID, address or tag'
            }
          />
        </div>
        <LiveList
          query={query}
          rows={data?.investors}
          ifFailed="The investors could not be fetched. Nothing about them has changed."
          empty={
            search ? (
              <NoHits
                title="No investor found"
                text="The search looks at names, e-mail addresses, whole ids, transaction ids, payment addresses and tags."
                onClear={() => change({ search: '', page: '' })}
              />
            ) : (
              <Empty title="No investors yet" text="Whoever signs up on the site appears here." />
            )
          }
          skeleton={{ height: 'h-[88px]' }}
          phone={(rows) => <InvestorRows investors={rows} />}
          wide={(rows) => <InvestorTable investors={rows} />}
        >
          <ListPager label="Pages of investors" query={query} size={operatorPageSize} />
        </LiveList>
      </Card>
    </>
  );
}
