import type { StatementEntry } from '@tallystick/contract/operator/investors';
import { counted, dayOf, timeOf } from '../../domain/dates.ts';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { Copyable } from '../../ui/actions/copy.tsx';
import { SignedMoney } from '../../ui/facts/money.tsx';
import { becomesEdge, Cell, type Column, Row, Small, takesOver } from '../../ui/lists/table.tsx';
import { ConsoleTable } from '../lists/console-table.tsx';

const columns: readonly Column[] = [
  { name: 'Date' },
  { name: 'Funding type', className: 'w-[22%]' },
  { name: 'Transaction ID' },
  { name: 'Record code', gives: 'tight' },
  { name: 'Done by', gives: 'tight' },
  { name: 'Amount', isNumber: true, className: becomesEdge.last },
  { name: 'Balance after', isNumber: true, gives: 'narrow' },
];

export interface BroughtForward {
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

export function StatementTable({ entries, forward }: StatementListProps) {
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

export function StatementRows({ entries, forward }: StatementListProps) {
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
