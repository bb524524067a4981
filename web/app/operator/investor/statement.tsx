import { pathOf } from '@tallystick/contract/call';
import { operatorPageSize } from '@tallystick/contract/operator/fields';
import { statement as statementCall } from '@tallystick/contract/operator/investors';
import { ExportLink } from '../../domain/lists/export-link.tsx';
import { useListAddress, wishesOf } from '../../domain/lists/list-address.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { ListPager } from '../../domain/lists/list-tools.tsx';
import { useLive } from '../../domain/live.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Empty, NoHits } from '../../ui/lists/empty.tsx';
import { SelectFilter } from '../../ui/lists/filter.tsx';
import { dayFrom } from '../lists/period.ts';
import { PeriodFilter } from '../lists/period-filter.tsx';
import { type BroughtForward, StatementRows, StatementTable } from './statement-list.tsx';

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
      <Tools view={view} />
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

function Tools({ view }: { view: View }) {
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
      <div className="grid max-tablet:w-full tablet:ml-auto max-tablet:[&>a]:inset-ring max-tablet:[&>a]:inset-ring-line-strong">
        <ExportLink href={exportPath} />
      </div>
    </div>
  );
}
