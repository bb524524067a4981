import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useNow } from '../../../domain/now.ts';
import { becomesEdge, Cell, type Column, Small, takesOver } from '../../../ui/lists/table.tsx';
import { usePhone } from '../../../ui/phone.ts';
import { ConsoleTable, type Fact, Facts } from '../../lists/console-table.tsx';
import type { DepositItem, WithdrawalItem } from '../item.ts';
import { MethodCell, rowOf, Section } from '../queue-row.tsx';
import { waitingText } from '../wording.ts';

interface Shown {
  method: { name: string; coin: string };
  /** What stands in the table between the method and the buttons. */
  cells: ReactNode;
  /** The same on a phone. */
  facts: readonly Fact[];
  buttons: ReactNode;
}

interface RequestListProps<Of> {
  title: string;
  /** Beside the title. */
  beside?: ReactNode;
  /** Of the cells in between. */
  columns: readonly Column[];
  items: readonly Of[];
  show: (item: Of) => Shown;
}

/** What investors asked for. Who, since when and by which method is told of deposits and withdrawals alike. */
export function RequestList<Of extends DepositItem | WithdrawalItem>(props: RequestListProps<Of>) {
  const { title, beside, columns, items, show } = props;
  const now = useNow();
  const rows = items.map((item) => ({
    item,
    waiting: waitingText(item.of.requestedat, now),
    shown: show(item),
  }));
  return (
    <Section title={title} beside={beside}>
      {usePhone() ? (
        <ul>
          {rows.map((row) => (
            <RequestCard key={row.item.key} {...row} />
          ))}
        </ul>
      ) : (
        <ConsoleTable
          caption={`${title}, oldest first`}
          columns={[...firstColumns, ...columns, { name: 'Action', isNumber: true }]}
        >
          {rows.map((row) => (
            <RequestRow key={row.item.key} {...row} />
          ))}
        </ConsoleTable>
      )}
    </Section>
  );
}

const firstColumns: readonly Column[] = [
  { name: 'Waiting', gives: 'narrow', className: 'w-23' },
  { name: 'Investor', className: becomesEdge.first },
  { name: 'Method' },
];

interface RequestProps {
  item: DepositItem | WithdrawalItem;
  waiting: string;
  shown: Shown;
}

function RequestRow({ item, waiting, shown: { method, cells, buttons } }: RequestProps) {
  return (
    <tr {...rowOf(item.key, 'border-line not-last:border-b hover:bg-sunken')}>
      <Cell gives="narrow" className="whitespace-nowrap">
        {waiting}
      </Cell>
      <Cell isHead className={becomesEdge.first}>
        <Investor of={item.of} />
        <Small className={takesOver.narrow}>Waiting {waiting}</Small>
      </Cell>
      <Cell>
        <MethodCell isNarrow {...method} />
      </Cell>
      {cells}
      <Cell className="py-2">{buttons}</Cell>
    </tr>
  );
}

function RequestCard({ item, waiting, shown: { method, facts, buttons } }: RequestProps) {
  const first = [
    { name: 'Waiting', value: waiting },
    { name: 'Investor', value: <Investor of={item.of} /> },
    { name: 'Method', value: <MethodCell {...method} /> },
  ];
  return (
    <li {...rowOf(item.key, 'grid gap-3.5 border-t border-line px-5 py-4')}>
      <Facts facts={[...first, ...facts]} />
      {buttons}
    </li>
  );
}

function Investor({ of: { investor, transactionid } }: { of: RequestProps['item']['of'] }) {
  return (
    <>
      <Link
        to={`/operator/investors/${investor._id}`}
        className="font-semibold underline-offset-3 hover:underline tablet:block tablet:max-w-44 tablet:truncate"
      >
        {investor.fullname}
      </Link>
      <Small className="font-mono tracking-[-0.01em]">{transactionid}</Small>
    </>
  );
}
