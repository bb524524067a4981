import { pathOf } from '@tallystick/contract/call';
import { operatorPageSize } from '@tallystick/contract/operator/fields';
import {
  investorpaper,
  investorpapers,
  type StatementEntry,
  statement as statementCall,
} from '@tallystick/contract/operator/investors';
import { useState } from 'react';
import { callApi, fetchFile } from '../../api.ts';
import { counted, dayOf, timeOf } from '../../domain/dates.ts';
import { ExportLink } from '../../domain/lists/export-link.tsx';
import { useListAddress, wishesOf } from '../../domain/lists/list-address.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { ListPager } from '../../domain/lists/list-tools.tsx';
import { useLive } from '../../domain/live.ts';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { type PaperSource, StatementsButton, StatementsModal } from '../../domain/papers/statements.tsx';
import { Copyable } from '../../ui/actions/copy.tsx';
import { SignedMoney } from '../../ui/facts/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty, NoHits } from '../../ui/lists/empty.tsx';
import { SelectFilter } from '../../ui/lists/filter.tsx';
import { becomesEdge, Cell, type Column, Row, Small, takesOver } from '../../ui/lists/table.tsx';
import { ConsoleTable } from '../lists/console-table.tsx';
import { dayFrom } from '../lists/period.ts';
import { PeriodFilter } from '../lists/period-filter.tsx';

function useStatement(id: string) {
  const { params, change, page } = useListAddress();
  const period = { from: dayFrom(params.get('from')), to: dayFrom(params.get('to')) };
  const fundingtype = (params.get('fundingtype') ?? '').slice(0, 100);
  const wishes = wishesOf({ fundingtype, ...period });
  const query = useLive(
    statementCall,
    { params: { id }, query: { page: String(page), ...wishes } },
    'Error fetching a statement:',
  );
  const exportPath = `${pathOf(statementCall, { id })}/export.csv?${new URLSearchParams(wishes)}`;
  return { query, page, period, fundingtype, exportPath, change };
}

type View = ReturnType<typeof useStatement>;

export function Statement({ id }: { id: string }) {
  const view = useStatement(id);
  const { query, period, fundingtype, change } = view;
  const isFiltered = Boolean(period.from || period.to || fundingtype);
  const forward = forwardOf(view);
  return (
    <Card aria-label="Statement" className="overflow-hidden">
      <Tools view={view} id={id} />
      <LiveList
        query={query}
        rows={query.data?.entries}
        isEmpty={query.data?.entries.length === 0 && !forward}
        ifFailed="The statement could not be fetched. Nothing about it has changed."
        empty={
          isFiltered ? (
            <NoHits
              title="No entry in this period"
              text="Choose other days or another funding type."
              onClear={() => change({ from: '', to: '', fundingtype: '', page: '' })}
            />
          ) : (
            <Empty title="No entries yet" text="The first confirmed deposit will appear here." />
          )
        }
        skeleton={{ height: 'h-[99px]' }}
        phone={(entries) => <StatementRows entries={entries} forward={forward} />}
        wide={(entries) => <StatementTable entries={entries} forward={forward} />}
      >
        <ListPager
          label="Pages of the statement"
          query={query}
          size={operatorPageSize}
          within={period.from || period.to ? ' in this period' : ''}
        />
      </LiveList>
    </Card>
  );
}

/** What lies before the period stands at its end. Of one funding type alone it would be no balance. */
function forwardOf({ query: { data }, page, period, fundingtype }: View): BroughtForward | null {
  if (!data || fundingtype || page < data.pages || data.broughtforward.entries === 0) return null;
  return { ...data.broughtforward, day: period.from };
}

/** What the investor gets for themselves; taking it leaves a trace in the audit log. */
const papersOf = (id: string): PaperSource => ({
  key: id,
  span: (query) => callApi(investorpapers, { params: { id }, query }, { inTurn: true }),
  file: (query) => fetchFile(investorpaper, { params: { id }, query }),
});

function Tools({ view, id }: { view: View; id: string }) {
  const [isOpen, setOpen] = useState(false);
  const { query, period, fundingtype, exportPath, change } = view;
  const known = query.data?.fundingtypes ?? [];
  const types = fundingtype && !known.includes(fundingtype) ? [...known, fundingtype] : known;
  return (
    <div className="flex flex-wrap items-center gap-2.5 border-b border-line p-4 tablet:gap-4 tablet:px-6 tablet:py-4.5">
      <PeriodFilter period={period} onChoose={(chosen) => change({ ...chosen, page: '' })} />
      <SelectFilter
        label="Funding type"
        choices={[
          { value: '', name: 'All funding types' },
          ...types.map((type) => ({ value: type, name: type })),
        ]}
        value={fundingtype}
        onChoose={(value) => change({ fundingtype: value, page: '' })}
        className="w-full tablet:w-50"
      />
      <div className="grid max-tablet:w-full max-tablet:grid-cols-2 max-tablet:gap-2.5 tablet:ml-auto tablet:flex max-tablet:[&>*]:inset-ring max-tablet:[&>*]:inset-ring-line-strong">
        <StatementsButton onOpen={() => setOpen(true)} />
        <ExportLink href={exportPath} />
      </div>
      {isOpen && <StatementsModal source={papersOf(id)} onClose={() => setOpen(false)} />}
    </div>
  );
}

const columns: readonly Column[] = [
  { name: 'Date' },
  { name: 'Funding type', className: 'w-[22%]' },
  { name: 'Transaction ID' },
  { name: 'Record code', gives: 'tight' },
  { name: 'Done by', gives: 'tight' },
  { name: 'Amount', isNumber: true, className: becomesEdge.last },
  { name: 'Balance after', isNumber: true, gives: 'narrow' },
];

interface BroughtForward {
  entries: number;
  balance: number;
  /** The first day of the period. */
  day: string;
}

interface StatementListProps {
  entries: readonly StatementEntry[] | undefined;
  forward: BroughtForward | null;
}

/** A reason says most; next best is what the entry belongs to. */
const wordsOf = ({ reason, detail }: StatementEntry) => reason ?? detail ?? '';

function StatementTable({ entries, forward }: StatementListProps) {
  return (
    <ConsoleTable caption="Entries of the wallet, newest first" columns={columns}>
      {entries?.map((entry) => (
        <Row key={entry._id}>
          <Cell className="whitespace-nowrap">
            {dayOf(entry.at)}
            <Small>{timeOf(entry.at)}</Small>
          </Cell>
          <Cell className="py-2">
            <b className="font-semibold">{entry.fundingtype}</b>
            <Small className="max-w-[40ch]">{wordsOf(entry)}</Small>
            <Small className={takesOver.tight}>{entry.doneby}</Small>
          </Cell>
          <Cell isHead>
            <Copyable what="the transaction ID">{entry.transactionid}</Copyable>
            <Small className={`font-mono ${takesOver.tight}`}>{entry.recordcode}</Small>
          </Cell>
          <Cell gives="tight" className="font-mono text-label whitespace-nowrap text-3">
            {entry.recordcode}
          </Cell>
          <Cell gives="tight">{entry.doneby}</Cell>
          <Cell isNumber className={becomesEdge.last}>
            <b className="font-semibold">
              <SignedMoney cents={centsOf(entry.amount)} />
            </b>
            <Small className={takesOver.narrow}>{usd(entry.balanceafter)} after</Small>
          </Cell>
          <Cell isNumber gives="narrow">
            {usd(entry.balanceafter)}
          </Cell>
        </Row>
      ))}
      {forward && (
        <Row>
          <Cell className="whitespace-nowrap">{forward.day && dayOf(forward.day)}</Cell>
          <Cell>
            <b className="font-semibold">Brought forward</b>
            <Small>{counted(forward.entries, 'earlier entry', 'earlier entries')}</Small>
          </Cell>
          <Cell />
          <Cell gives="tight" />
          <Cell gives="tight" />
          <Cell isNumber className={becomesEdge.last}>
            <Small className={takesOver.narrow}>{usd(forward.balance)}</Small>
          </Cell>
          <Cell isNumber gives="narrow">
            {usd(forward.balance)}
          </Cell>
        </Row>
      )}
    </ConsoleTable>
  );
}

const rowClass = 'grid gap-y-0.5 border-line px-5 py-3 text-control/5 tabular-nums not-first:border-t';
const lineClass = 'flex flex-wrap items-baseline justify-between gap-x-3';

function StatementRows({ entries, forward }: StatementListProps) {
  return (
    <ul>
      {entries?.map((entry) => (
        <li key={entry._id} className={rowClass}>
          <p className={lineClass}>
            <b className="font-semibold">{entry.fundingtype}</b>
            <b className="font-semibold">
              <SignedMoney cents={centsOf(entry.amount)} />
            </b>
          </p>
          <Small className={`${lineClass} flex!`}>
            <span>
              {dayOf(entry.at)}, {timeOf(entry.at)}
            </span>
            <span>{usd(entry.balanceafter)} after</span>
          </Small>
          <Small className={`${lineClass} flex!`}>
            <Copyable what="the transaction ID">{entry.transactionid}</Copyable>
            <span className="font-mono text-[0.75rem]">{entry.recordcode}</span>
          </Small>
          <Small className="wrap-anywhere">{[entry.doneby, wordsOf(entry)].filter(Boolean).join(': ')}</Small>
        </li>
      ))}
      {forward && (
        <li className={rowClass}>
          <p className={lineClass}>
            <b className="font-semibold">Brought forward</b>
            <b className="font-semibold">{usd(forward.balance)}</b>
          </p>
          <Small>
            {forward.day && `${dayOf(forward.day)}, `}
            {counted(forward.entries, 'earlier entry', 'earlier entries')}
          </Small>
        </li>
      )}
    </ul>
  );
}
