import { fetchsingleinvestment, type Investment, type ShownStatus } from '@tallystick/contract/investment';
import { formatUsd } from '@tallystick/contract/money';
import type { ReactNode } from 'react';
import { dayOf } from '../../domain/dates.ts';
import { useListAddress, wishesOf } from '../../domain/lists/list-address.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { ListPager, ListSearch } from '../../domain/lists/list-tools.tsx';
import { useLive } from '../../domain/live.ts';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { useNow } from '../../domain/now.ts';
import { Copyable } from '../../ui/actions/copy.tsx';
import { DayNotches } from '../../ui/brand/notches.tsx';
import { Chip } from '../../ui/facts/chip.tsx';
import { SignedMoney } from '../../ui/facts/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty, NoHits } from '../../ui/lists/empty.tsx';
import { FilterChips, Segments } from '../../ui/lists/filter.tsx';
import { Cell, type Column, Row, Small, Table, takesOver } from '../../ui/lists/table.tsx';
import { usePhone } from '../../ui/phone.ts';
import { dayOfTerm } from '../dashboard/maturity.ts';
import { accruedCents, isCompleted } from './accrual.ts';
import { AtMaturity } from './at-maturity.tsx';
import { ExitAction } from './leaving-early.tsx';

const statuses: { value: ShownStatus; name: string }[] = [
  { value: 'all', name: 'All' },
  { value: 'completed', name: 'Completed' },
  { value: 'ongoing', name: 'Ongoing' },
];

function statusOf(text: string | null): ShownStatus {
  return statuses.find(({ value }) => value === text)?.value ?? 'all';
}

/** The investments as the address wishes to see them. */
export function useInvestments(userid: string) {
  const { params, change, page, search } = useListAddress();
  const status = statusOf(params.get('status'));
  const wishes = { status, ...wishesOf({ search }) };
  const query = useLive(
    fetchsingleinvestment,
    { params: { userid }, query: { page: String(page), ...wishes } },
    'Error fetching investments:',
  );
  return { query, search, status, wishes, change };
}

type View = ReturnType<typeof useInvestments>;
type Counts = { ongoing: number; completed: number } | undefined;

function Tools({ view, counts, beside }: { view: View; counts: Counts; beside: ReactNode }) {
  const { status, change } = view;
  const isPhone = usePhone();
  const countOf: Record<ShownStatus, number | null> = {
    all: counts ? counts.ongoing + counts.completed : null,
    completed: counts?.completed ?? null,
    ongoing: counts?.ongoing ?? null,
  };
  const filter = {
    label: 'Status',
    choices: statuses.map((each) => ({ ...each, count: countOf[each.value] })),
    value: status,
    onChoose: (value: ShownStatus) => change({ status: value === 'all' ? '' : value, page: '' }),
  };
  const field = <ListSearch label="Search by Transaction ID" />;
  if (isPhone) {
    return (
      <>
        {field}
        <FilterChips {...filter} />
      </>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-4 border-b border-line px-6 py-4.5">
      {field}
      <div className="max-desktop:ml-auto">{beside}</div>
      <Segments {...filter} className="desktop:ml-auto" />
    </div>
  );
}

interface InvestmentsProps {
  view: View;
  counts: Counts;
  /** Beside the search on a wide screen. */
  exportLink: ReactNode;
  addButton: ReactNode;
}

export function Investments({ view, counts, exportLink, addButton }: InvestmentsProps) {
  const { query, search, status, change } = view;
  const isPhone = usePhone();
  const tools = <Tools view={view} counts={counts} beside={exportLink} />;
  const empty =
    search || status !== 'all' ? (
      <NoHits
        title={search ? 'No investment with that ID' : `Nothing is ${status} yet`}
        text={search ? 'The search looks at the transaction ID only.' : 'Look at all of them instead.'}
        onClear={() => change({ search: '', status: '', page: '' })}
      />
    ) : (
      <Empty title="No investments yet" text="Your first investment will appear here.">
        {addButton}
      </Empty>
    );
  return (
    <>
      {isPhone && tools}
      <Card aria-label="Investments">
        {!isPhone && tools}
        <LiveList
          query={query}
          rows={query.data?.investment}
          ifFailed="Your investments could not be fetched. Nothing about them has changed."
          empty={empty}
          skeleton={{ height: 'h-[173px]' }}
          phone={(rows) => <InvestmentBlocks investments={rows} />}
          wide={(rows) => <InvestmentTable investments={rows} />}
        >
          <ListPager label="Pages of investments" query={query} />
        </LiveList>
      </Card>
    </>
  );
}

const columns: readonly Column[] = [
  { name: 'Transaction ID', className: 'w-[15%]' },
  { name: 'Plan', gives: 'tight', className: 'w-[9%]' },
  { name: 'Amount', isNumber: true, className: 'w-[11%]' },
  { name: 'Duration', isNumber: true, gives: 'tight', className: 'w-[8%]' },
  { name: 'ROI', isNumber: true, gives: 'tight', className: 'w-[6%]' },
  { name: 'Profit', isNumber: true, className: 'w-[15%]' },
  { name: 'Status', gives: 'narrow', className: 'w-[12%]' },
  { name: 'Progress to maturity', className: 'w-[24%] @max-wide/table:w-[34%]' },
];

const termsOf = ({ planname, duration, roi }: Investment) => `${planname}, ${duration} days, ROI ${roi}%`;

function StatusChip({ investment }: { investment: Investment }) {
  if (investment.exit) return <Chip look="done">Left early</Chip>;
  return isCompleted(investment) ? <Chip look="done">Completed</Chip> : <Chip look="going">Ongoing</Chip>;
}

/** A profit that is due has no sign yet: it is a credit only when it is paid. */
function Profit({ investment }: { investment: Investment }) {
  const { profit } = investment.exit ?? investment;
  return (
    <b className="font-semibold">
      {isCompleted(investment) ? <SignedMoney cents={centsOf(profit)} /> : usd(profit)}
    </b>
  );
}

function profitState(investment: Investment, now: Date): string {
  if (investment.exit) return `Less a fee of ${usd(investment.exit.fee)}`;
  return isCompleted(investment) ? 'Paid' : `${formatUsd(accruedCents(investment, now))} so far, computed`;
}

function Progress({ investment, now }: { investment: Investment; now: Date }) {
  const { duration, maturesat, exit } = investment;
  if (exit) return <LeftAt exit={exit} of={duration} />;
  const isDone = isCompleted(investment);
  const running = dayOfTerm(investment, now);
  return (
    <>
      <DayNotches day={running} of={duration} isDone={isDone} />
      <span className="mt-1.5 flex flex-wrap justify-between gap-x-3 text-caption text-3">
        <span>{isDone ? `All ${duration} days` : `Day ${running} of ${duration}`}</span>
        <span>
          {isDone ? 'Matured' : 'Matures'} {dayOf(maturesat)}
        </span>
      </span>
      <ExitAction investment={investment} now={now} />
    </>
  );
}

function LeftAt({ exit, of }: { exit: NonNullable<Investment['exit']>; of: number }) {
  return (
    <>
      <DayNotches day={exit.days} of={of} isDone={false} />
      <span className="mt-1.5 flex flex-wrap justify-between gap-x-3 text-caption text-3">
        <span>
          After {exit.days} of {of} days
        </span>
        <span>Left {dayOf(exit.at)}</span>
      </span>
    </>
  );
}

function InvestmentTable({ investments }: { investments: readonly Investment[] | undefined }) {
  const now = useNow();
  return (
    <Table caption="Your investments, newest first" columns={columns}>
      {investments?.map((investment) => (
        <Row key={investment._id}>
          <Cell isHead className="whitespace-nowrap">
            <Copyable what="the transaction ID">{investment.investmentransactionid}</Copyable>
            <Small>Started {dayOf(investment.openedat)}</Small>
            <Small className={takesOver.tight}>{termsOf(investment)}</Small>
          </Cell>
          <Cell gives="tight">{investment.planname}</Cell>
          <Cell isNumber>
            <b className="font-semibold">{usd(investment.investinvestmemntamount)}</b>
          </Cell>
          <Cell isNumber gives="tight" className="whitespace-nowrap">
            {investment.duration} days
          </Cell>
          <Cell isNumber gives="tight">
            {investment.roi}%
          </Cell>
          <Cell isNumber>
            <Profit investment={investment} />
            <Small>{profitState(investment, now)}</Small>
          </Cell>
          <Cell gives="narrow">
            <StatusChip investment={investment} />
          </Cell>
          <Cell className="py-2.5">
            <span className={`mb-2 block ${takesOver.narrow}`}>
              <StatusChip investment={investment} />
            </span>
            <Progress investment={investment} now={now} />
            <AtMaturity investment={investment} now={now} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/** The phone's list: one block for each. */
function InvestmentBlocks({ investments }: { investments: readonly Investment[] }) {
  const now = useNow();
  return (
    <ul className="tabular-nums">
      {investments.map((investment) => (
        <li key={investment._id} className="border-line px-5 py-4.5 not-first:border-t">
          <div className="flex items-center justify-between gap-3 text-control">
            <Copyable what="the transaction ID">{investment.investmentransactionid}</Copyable>
            <StatusChip investment={investment} />
          </div>
          <div className="mt-2.5 mb-3 grid grid-cols-[1fr_auto] gap-x-3 text-[1.125rem]/6 tracking-[-0.015em]">
            <b className="font-semibold">{usd(investment.investinvestmemntamount)}</b>
            <span className="text-right">
              <Profit investment={investment} />
            </span>
            <Small className="tracking-normal">{termsOf(investment)}</Small>
            <Small className="text-right tracking-normal">
              Profit {isCompleted(investment) ? 'paid' : 'due'}
            </Small>
            {(investment.exit || !isCompleted(investment)) && (
              <Small className="col-span-2 text-right tracking-normal">{profitState(investment, now)}</Small>
            )}
          </div>
          <Progress investment={investment} now={now} />
          <AtMaturity investment={investment} now={now} />
        </li>
      ))}
    </ul>
  );
}
