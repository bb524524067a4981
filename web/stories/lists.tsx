import { useState } from 'react';
import { Button } from '../app/ui/actions/button.tsx';
import { SignedMoney } from '../app/ui/facts/money.tsx';
import { Empty, Failed, NoHits } from '../app/ui/lists/empty.tsx';
import { FilterChips, Segments, SelectFilter } from '../app/ui/lists/filter.tsx';
import { Pager } from '../app/ui/lists/pager.tsx';
import { Skeleton } from '../app/ui/lists/skeleton.tsx';
import { Cell, Row, Small, Table } from '../app/ui/lists/table.tsx';
import type { Stories } from './story.ts';

const choices = [
  { value: 'all', name: 'All', count: 128 },
  { value: 'open', name: 'Open', count: 3 },
  { value: 'done', name: 'Done' },
] as const;
const choicesOnTheirWay = choices.map((choice) => ({ ...choice, count: null }));

function Filters() {
  const [value, onChoose] = useState<'all' | 'open' | 'done'>('all');
  const filter = { label: 'Status', choices, value, onChoose };
  return (
    <>
      <Segments {...filter} />
      <Segments {...filter} choices={choicesOnTheirWay} />
      <FilterChips {...filter} />
      <SelectFilter {...filter} />
    </>
  );
}

function Pages({ first, total }: { first: number; total: number | null }) {
  const [page, onPage] = useState(first);
  return <Pager label="Entries" page={page} pages={3} total={total} onPage={onPage} />;
}

export const lists: Stories = {
  table: () => (
    <div className="rounded-code bg-surface">
      <Table
        caption="Entries"
        columns={[{ name: 'What' }, { name: 'When', gives: 'narrow' }, { name: 'Amount', isNumber: true }]}
      >
        {['Deposit', 'Investment', 'Withdrawal'].map((what, index) => (
          <Row key={what}>
            <Cell isHead>
              {what}
              <Small>TS-7K4M-9XQ{index}</Small>
            </Cell>
            <Cell gives="narrow">15 Nov 2026</Cell>
            <Cell isNumber>
              <SignedMoney cents={BigInt(index + 1) * 25_050n} />
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  ),
  pager: () => (
    <>
      <Pages first={1} total={13} />
      <Pages first={3} total={13} />
      <Pages first={1} total={null} />
    </>
  ),
  filter: Filters,
  empty: () => (
    <>
      <Empty title="No entries yet" text="Your first confirmed deposit will appear here.">
        <Button look="primary">Fund wallet</Button>
      </Empty>
      <NoHits title="Nothing found" text="No entry matches “TS-0”." onClear={() => {}} />
      <Failed onRetry={() => {}}>The entries could not be loaded.</Failed>
    </>
  ),
  skeleton: () => <Skeleton className="h-10 w-full" />,
};
