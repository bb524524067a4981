import { operatorPageSize } from '@tallystick/contract/operator/fields';
import { type InvestorRow, investors as investorsCall } from '@tallystick/contract/operator/investors';
import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { pageMeta } from '../../brand.ts';
import { counted, dayOf } from '../../domain/dates.ts';
import { useListAddress, wishesOf } from '../../domain/lists/list-address.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { ListPager, ListSearch } from '../../domain/lists/list-tools.tsx';
import { useLive } from '../../domain/live.ts';
import { usd } from '../../domain/money/amount.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { Chip } from '../../ui/facts/chip.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty, NoHits } from '../../ui/lists/empty.tsx';
import { becomesEdge, Cell, type Column, Row, Small, takesOver } from '../../ui/lists/table.tsx';
import { usePhone } from '../../ui/phone.ts';
import { nameOf } from '../investor/wording.ts';
import { ConsoleTable } from '../lists/console-table.tsx';

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

const columns: readonly Column[] = [
  { name: 'Investor', className: 'w-[30%]' },
  { name: 'Since', gives: 'tight' },
  { name: 'State' },
  { name: 'Available', isNumber: true, className: becomesEdge.last },
  { name: 'Invested', isNumber: true, gives: 'narrow' },
  { name: 'Being withdrawn', isNumber: true, gives: 'narrow' },
];

const pathTo = ({ _id }: InvestorRow) => `/operator/investors/${_id}`;

function InvestorTable({ investors }: { investors: readonly InvestorRow[] | undefined }) {
  return (
    <ConsoleTable caption="Investors, newest first" columns={columns}>
      {investors?.map((investor) => (
        <Row key={investor._id}>
          <Cell isHead className="py-2">
            <Link to={pathTo(investor)} className="font-semibold wrap-anywhere hover:underline">
              {nameOf(investor)}
            </Link>
            <Small className="wrap-anywhere">{investor.email}</Small>
            <Small className={takesOver.tight}>Since {dayOf(investor.since)}</Small>
          </Cell>
          <Cell gives="tight" className="whitespace-nowrap">
            {dayOf(investor.since)}
          </Cell>
          <Cell>
            <States investor={investor} />
          </Cell>
          <Cell isNumber className={becomesEdge.last}>
            {usd(investor.available)}
            <Small className={takesOver.narrow}>{usd(investor.invested)} invested</Small>
            <Small className={takesOver.narrow}>{usd(investor.withdrawing)} being withdrawn</Small>
          </Cell>
          <Cell isNumber gives="narrow">
            {usd(investor.invested)}
          </Cell>
          <Cell isNumber gives="narrow">
            {usd(investor.withdrawing)}
          </Cell>
        </Row>
      ))}
    </ConsoleTable>
  );
}

/** The phone's rows lead to the investor as a whole. */
function InvestorRows({ investors }: { investors: readonly InvestorRow[] }) {
  return (
    <ul>
      {investors.map((investor) => (
        <li key={investor._id} className="border-line not-first:border-t">
          <Link to={pathTo(investor)} className="flex items-center gap-3 px-5 py-3.5 active:bg-sunken">
            <span className="grid min-w-0 flex-1 gap-1.5">
              <span className="flex items-baseline justify-between gap-3 text-control/5">
                <b className="min-w-0 font-semibold wrap-anywhere">{nameOf(investor)}</b>
                <b className="font-semibold whitespace-nowrap tabular-nums">
                  <span className="sr-only">Available </span>
                  {usd(investor.available)}
                </b>
              </span>
              <Small className="wrap-anywhere">
                {[investor.email, `since ${dayOf(investor.since)}`].filter(Boolean).join(', ')}
              </Small>
              <Small className="tabular-nums">
                {usd(investor.invested)} invested, {usd(investor.withdrawing)} being withdrawn
              </Small>
              {(investor.frozen || !investor.verified || investor.closedat) && <States investor={investor} />}
            </span>
            <ChevronRight className="size-5 shrink-0 text-3" strokeWidth={1.75} aria-hidden="true" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function States({ investor: { frozen, verified, closedat } }: { investor: InvestorRow }) {
  if (closedat) return <Chip look="done">{`Closed ${dayOf(closedat)}`}</Chip>;
  return (
    <span className="flex flex-wrap gap-1.5">
      {frozen && <Chip look="refused">Withdrawals frozen</Chip>}
      {verified ? !frozen && <Chip look="done">Verified</Chip> : <Chip look="waiting">Not verified</Chip>}
    </span>
  );
}
