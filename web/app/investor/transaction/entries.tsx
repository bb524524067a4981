import { type BalanceEntry, fetchbalance } from '@tallystick/contract/funding';
import { dayOf, monthOf, shortDayOf, timeOf } from '../../domain/dates.ts';
import { csvOf, ExportLink } from '../../domain/lists/export-link.tsx';
import { useListAddress, wishesOf } from '../../domain/lists/list-address.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { ListPager, ListSearch } from '../../domain/lists/list-tools.tsx';
import { useLive } from '../../domain/live.ts';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { StatementsButton } from '../../domain/papers/statements.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Copyable } from '../../ui/actions/copy.tsx';
import { SignedMoney } from '../../ui/facts/money.tsx';
import { Card, RowIcon } from '../../ui/layout/card.tsx';
import { Empty, NoHits } from '../../ui/lists/empty.tsx';
import { FilterChips, SelectFilter } from '../../ui/lists/filter.tsx';
import { becomesEdge, Cell, type Column, Row, Small, Table, takesOver } from '../../ui/lists/table.tsx';
import { usePhone } from '../../ui/phone.ts';
import { useOpenModal, useShowPayment } from '../money/money-modals.tsx';
import { useMoneyOff } from '../offline/reach.ts';
import { isDeposit, kindOf } from './entry-kind.ts';

/** The wallet's entries as the address wishes to see them. */
export function useEntries() {
  const { params, change, page, search } = useListAddress();
  const fundingtype = (params.get('fundingtype') ?? '').slice(0, 100);
  const wishes = wishesOf({ search, fundingtype });
  const query = useLive(
    fetchbalance,
    { query: { page: String(page), ...wishes } },
    'Error fetching balance:',
  );
  return { query, search, fundingtype, change, csv: csvOf(fetchbalance.path, wishes) };
}

type EntriesView = ReturnType<typeof useEntries>;

interface EntriesProps {
  view: EntriesView;
  onStatements: () => void;
}

function Tools({ view, onStatements }: EntriesProps) {
  const { query, fundingtype, change } = view;
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
  const field = <ListSearch label="Search by funding type" />;
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
      <div className="ml-auto flex">
        <StatementsButton onOpen={onStatements} />
        <ExportLink href={view.csv} />
      </div>
    </div>
  );
}

export function Entries(props: EntriesProps) {
  const { view } = props;
  const { query, search, fundingtype, change } = view;
  const isPhone = usePhone();
  const open = useOpenModal();
  const off = useMoneyOff();
  return (
    <>
      {isPhone && <Tools {...props} />}
      <Card aria-label="Entries">
        {!isPhone && <Tools {...props} />}
        <LiveList
          query={query}
          rows={query.data?.balance}
          ifFailed="Your entries could not be fetched. Nothing about them has changed."
          empty={
            search || fundingtype ? (
              <NoHits
                title="No entry of that type"
                text="The search looks at the funding type only."
                onClear={() => change({ search: '', fundingtype: '', page: '' })}
              />
            ) : (
              <Empty title="No entries yet" text="Your first confirmed deposit will appear here.">
                <Button look="primary" {...off} onClick={() => open('fund')}>
                  Fund Wallet
                </Button>
              </Empty>
            )
          }
          skeleton={{ height: 'h-[75px]' }}
          phone={(rows) => <EntryRows entries={rows} />}
          wide={(rows) => <EntryTable entries={rows} />}
        >
          <ListPager label="Pages of entries" query={query} />
        </LiveList>
      </Card>
    </>
  );
}

const columns: readonly Column[] = [
  { name: 'Date', className: 'w-[14%]' },
  { name: 'Funding type', className: 'w-[26%]' },
  { name: 'Transaction ID', className: 'w-[18%]' },
  { name: 'Record code', gives: 'tight', className: 'w-[14%]' },
  { name: 'Amount', isNumber: true, className: `w-[14%] ${becomesEdge.last}` },
  { name: 'Balance after', isNumber: true, gives: 'narrow', className: 'w-[14%]' },
];

export function EntryTable({ entries }: { entries: readonly BalanceEntry[] | undefined }) {
  return (
    <Table caption="Entries of your wallet, newest first" columns={columns}>
      {entries?.map((entry) => {
        const { Icon, words } = kindOf(entry);
        return (
          <Row key={entry._id}>
            <Cell className="whitespace-nowrap">
              {dayOf(entry.at)}
              <Small>{timeOf(entry.at)}</Small>
            </Cell>
            <Cell>
              <span className="flex items-center gap-3">
                <RowIcon Icon={Icon} />
                <span>
                  <b className="font-semibold">{entry.fundingtype}</b>
                  <Small className="line-clamp-2 max-w-[36ch]">
                    {isDeposit(entry) ? <ReceiptLink entry={entry} /> : words}
                  </Small>
                </span>
              </span>
            </Cell>
            <Cell isHead>
              <Copyable what="the transaction ID">{entry.transactionid}</Copyable>
              <Small className={`font-mono ${takesOver.tight}`}>{entry.recordcode}</Small>
            </Cell>
            <Cell gives="tight" className="font-mono text-label whitespace-nowrap text-3">
              {entry.recordcode}
            </Cell>
            <Cell isNumber className={becomesEdge.last}>
              <b className="font-semibold">
                <SignedMoney cents={centsOf(entry.finalBalance)} />
              </b>
              <Small className={takesOver.narrow}>{usd(entry.balanceafter)} after</Small>
            </Cell>
            <Cell isNumber gives="narrow">
              {usd(entry.balanceafter)}
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}

function ReceiptLink({ entry: { transactionid } }: { entry: BalanceEntry }) {
  const show = useShowPayment();
  return (
    <button type="button" className="textlink min-h-6" onClick={() => show(transactionid)}>
      Deposit receipt<span className="sr-only"> of {transactionid}</span>
    </button>
  );
}

/** The phone's rows, by month. */
function EntryRows({ entries }: { entries: readonly BalanceEntry[] }) {
  const months = Map.groupBy(entries, ({ at }) => monthOf(at));
  return [...months].map(([month, ofMonth]) => (
    <section key={month} className="border-line not-first:border-t">
      <h2 className="px-5 pt-3.5 pb-1 text-caption font-label text-3">{month}</h2>
      <ul>
        {ofMonth.map((entry) => (
          <EntryRow key={entry._id} entry={entry} />
        ))}
      </ul>
    </section>
  ));
}

function EntryRow({ entry }: { entry: BalanceEntry }) {
  const { Icon, words } = kindOf(entry);
  return (
    <li className="grid grid-cols-[36px_minmax(0,1fr)_auto] gap-x-3 border-line px-5 py-2.5 text-control/5 tabular-nums not-first:border-t">
      <div className="row-span-3 self-center">
        <RowIcon Icon={Icon} />
      </div>
      <b className="truncate font-label">{entry.fundingtype}</b>
      <b className="text-right font-semibold">
        <SignedMoney cents={centsOf(entry.finalBalance)} />
      </b>
      <Small className="col-span-2 flex! flex-wrap justify-between gap-x-3">
        <span className="whitespace-nowrap">
          {shortDayOf(entry.at)}, <Copyable what="the transaction ID">{entry.transactionid}</Copyable>
        </span>
        <span className="font-mono text-[0.75rem]">{entry.recordcode}</span>
      </Small>
      <Small className="truncate">{isDeposit(entry) ? <ReceiptLink entry={entry} /> : words}</Small>
      <Small className="text-right">{usd(entry.balanceafter)} after</Small>
    </li>
  );
}
