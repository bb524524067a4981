import type { BalanceEntry } from '@tallystick/contract/funding';
import { dayOf, monthOf, shortDayOf, timeOf } from '../../domain/dates.ts';
import { centsOf } from '../../domain/money/amount.ts';
import { Copyable } from '../../ui/actions/copyable.tsx';
import { Money, SignedMoney } from '../../ui/facts/money.tsx';
import { RowIcon } from '../../ui/layout/card.tsx';
import { becomesEdge, Cell, type Column, Row, Small, Table, takesOver } from '../../ui/lists/table.tsx';
import { kindOf } from './entry-kind.ts';

export const entryCaption = 'Entries of your wallet, newest first';
export const entryColumns: readonly Column[] = [
  { name: 'Date', className: 'w-[14%]' },
  { name: 'Funding type', className: 'w-[26%]' },
  { name: 'Transaction ID', className: 'w-[18%]' },
  { name: 'Record code', gives: 'tight', className: 'w-[14%]' },
  { name: 'Amount', isNumber: true, className: `w-[14%] ${becomesEdge.last}` },
  { name: 'Balance after', isNumber: true, gives: 'narrow', className: 'w-[14%]' },
];

export function EntryTable({ entries }: { entries: readonly BalanceEntry[] }) {
  return (
    <Table caption={entryCaption} columns={entryColumns}>
      {entries.map((entry) => {
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
                  <Small className="line-clamp-2 max-w-[36ch]">{words}</Small>
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
              <Small className={takesOver.narrow}>
                <Money cents={centsOf(entry.balanceafter)} /> after
              </Small>
            </Cell>
            <Cell isNumber gives="narrow">
              <Money cents={centsOf(entry.balanceafter)} />
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}

/** The phone's rows, by month. */
export function EntryRows({ entries }: { entries: readonly BalanceEntry[] }) {
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
      <Small className="truncate">{words}</Small>
      <Small className="text-right">
        <Money cents={centsOf(entry.balanceafter)} /> after
      </Small>
    </li>
  );
}
