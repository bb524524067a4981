import { type ReactNode, useId, useState } from 'react';
import { dayOf } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Cell, Row, Table } from '../../ui/lists/table.tsx';
import { DayChart, WeekChart } from './bars.tsx';
import { type Books, dueOf, dueSentence, flowSentence } from './sums.ts';

export function Obligations({ books }: { books: Books }) {
  return (
    <ChartCard
      title="Obligations by week"
      summary={dueSentence(books)}
      isEmpty={[...books.weeks, books.later].every(({ count }) => count === 0)}
      legend={[
        { name: 'Principal', colour: 'bg-accent-text' },
        { name: 'Profit', colour: 'bg-(--bar2)' },
      ]}
      chart={(showTable) => <WeekChart weeks={books.weeks} at={books.at} onAll={showTable} />}
      table={<WeekTable books={books} />}
    />
  );
}

export function Flows({ days }: { days: Books['days'] }) {
  return (
    <ChartCard
      title="Deposits and withdrawals by day"
      summary={flowSentence(days)}
      isEmpty={days.every(({ deposits, withdrawals }) => deposits === 0 && withdrawals === 0)}
      legend={[
        { name: 'Deposits', colour: 'bg-accent-text' },
        { name: 'Withdrawals', colour: 'bg-(--text)' },
      ]}
      chart={() => <DayChart days={days} />}
      table={<DayTable days={days} />}
    />
  );
}

interface ChartCardProps {
  title: string;
  summary: string;
  /** Without anything to show the summary says so, and that is all. */
  isEmpty: boolean;
  legend: readonly { name: string; colour: string }[];
  chart: (showTable: () => void) => ReactNode;
  table: ReactNode;
}

/** A picture, or the same as a table: whoever cannot use the one has the other. */
function ChartCard({ title, summary, isEmpty, legend, chart, table }: ChartCardProps) {
  const [isTable, setTable] = useState(false);
  const id = useId();
  const head = (
    <>
      <h2 className="text-body tracking-[-0.01em]">{title}</h2>
      <p className="text-control text-2">{summary}</p>
    </>
  );
  if (isEmpty) {
    return (
      <Card aria-label={title} className="px-5 py-5 tablet:px-7 tablet:py-6">
        {head}
      </Card>
    );
  }
  return (
    <Card aria-label={title} className="overflow-hidden tabular-nums">
      <div className="flex flex-wrap justify-between gap-x-5 gap-y-2.5 px-5 pt-5 tablet:px-7 tablet:pt-6">
        <div className="min-w-0">{head}</div>
        <div className="flex flex-wrap items-center gap-x-5 self-start text-caption text-2">
          {!isTable &&
            legend.map(({ name, colour }) => (
              <span key={name} className="flex items-center gap-2">
                <i aria-hidden="true" className={`size-2.5 rounded-[3px] ${colour}`} />
                {name}
              </span>
            ))}
          <button
            type="button"
            aria-pressed={isTable}
            aria-controls={id}
            onClick={() => setTable(!isTable)}
            className="min-h-6 font-semibold text-accent-text hover:underline"
          >
            {isTable ? 'Show as chart' : 'Show as table'}
          </button>
        </div>
      </div>
      <div id={id}>
        {isTable ? (
          <div className="mt-4 border-t border-line">{table}</div>
        ) : (
          <div className="px-4 pt-4 pb-3.5 tablet:px-7 tablet:pb-4.5">{chart(() => setTable(true))}</div>
        )}
      </div>
    </Card>
  );
}

const weekNames = ['Week of', 'Principal', 'Profit', 'Together', 'Invested again', 'Investments'];

function WeekTable({ books: { weeks, later } }: { books: Books }) {
  const rows = [
    ...weeks.map((week) => ({ ...week, name: dayOf(week.monday) })),
    ...(later.count > 0 ? [{ ...later, name: 'Later' }] : []),
  ];
  return (
    <FigureTable
      caption="Principal and profit falling due, by week"
      names={weekNames}
      strong="Together"
      rows={rows.map((due) => {
        const together = usd(Number(dueOf(due)) / 100);
        const count = due.count.toLocaleString('en-US');
        return [due.name, usd(due.principal), usd(due.profit), together, usd(due.again), count];
      })}
    />
  );
}

const dayNames = ['Day', 'Deposits', 'Withdrawals'];

/** The newest first, as everywhere a list is read. */
function DayTable({ days }: { days: Books['days'] }) {
  return (
    <FigureTable
      caption="Deposits and withdrawals, by day"
      names={dayNames}
      rows={days
        .toReversed()
        .map(({ day, deposits, withdrawals }) => [dayOf(day), usd(deposits), usd(withdrawals)])}
    />
  );
}

interface FigureTableProps {
  caption: string;
  names: readonly string[];
  /** The column that the others add up to. */
  strong?: string;
  /** The first cell names its row. */
  rows: readonly (readonly string[])[];
}

function FigureTable({ caption, names, strong, rows }: FigureTableProps) {
  const columns = names.map((name, index) => ({ name, isNumber: index > 0 }));
  return (
    <Table caption={caption} columns={columns}>
      {rows.map((row) => (
        <Row key={row[0]}>
          {columns.map(({ name, isNumber }, index) => (
            <Cell
              key={name}
              isHead={!isNumber}
              isNumber={isNumber}
              className={`h-11! py-1.5 ${name === strong ? 'font-semibold' : ''} ${isNumber ? '' : 'whitespace-nowrap'}`}
            >
              {row[index]}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}
