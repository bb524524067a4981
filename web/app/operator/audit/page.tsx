import { audit as auditCall } from '@tallystick/contract/operator/audit';
import { pageMeta } from '../../brand.ts';
import { ExportLink } from '../../domain/lists/export-link.tsx';
import { ListStates, NotRefreshed, SkeletonRows, SkeletonTable } from '../../domain/lists/list-parts.tsx';
import { SearchField } from '../../ui/forms/search-field.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty, NoHits } from '../../ui/lists/empty.tsx';
import { SelectFilter } from '../../ui/lists/filter.tsx';
import { usePhone } from '../../ui/phone.ts';
import { PageHead } from '../page-head.tsx';
import { PeriodFilter } from '../period-filter.tsx';
import { AuditBlocks, AuditTable, auditCaption, auditColumns } from './audit-list.tsx';
import { OlderNewer } from './older-newer.tsx';
import { noWishes, useAudit } from './use-audit.ts';
import { actionGroups, actorKinds } from './words.ts';

export function meta() {
  return pageMeta('Audit log', 'Who did what, and when.');
}

export default function Audit() {
  const view = useAudit();
  const { query, isFiltered, change } = view;
  const { data, isError, refetch, dataUpdatedAt } = query;
  const isPhone = usePhone();
  const List = isPhone ? AuditBlocks : AuditTable;
  return (
    <>
      <PageHead title="Audit log" note="Who did what, newest first. Nothing in it can be changed." />
      <Card aria-label="Audit log" className="overflow-hidden">
        <Tools view={view} />
        <ListStates
          count={data?.entries.length}
          hasFailed={isError}
          ifFailed="The audit log could not be fetched. Nothing in it has changed."
          onRetry={refetch}
          skeleton={
            isPhone ? (
              <SkeletonRows height="h-[92px]" />
            ) : (
              <SkeletonTable caption={auditCaption} columns={auditColumns} />
            )
          }
          empty={
            isFiltered ? (
              <NoHits
                title="Nothing was found"
                text="The search looks at ids, names and e-mail addresses of who did it and whom it is about."
                onClear={() => change(noWishes)}
              />
            ) : (
              <Empty
                title="Nothing was done yet"
                text="Every act of investors and operators leaves a line here."
              />
            )
          }
        >
          <List entries={data?.entries ?? []} />
        </ListStates>
        <OlderNewer view={view} />
        {isError && data && <NotRefreshed since={dataUpdatedAt} onRetry={refetch} />}
      </Card>
    </>
  );
}

const who = [
  { value: '', name: 'Everyone' },
  ...Object.entries(actorKinds).map(([value, name]) => ({ value, name })),
];

function Tools({ view }: { view: ReturnType<typeof useAudit> }) {
  const { search, actorkind, action, period, wishes, change } = view;
  const isKnown = actionGroups.some(({ value }) => value === action);
  const groups = isKnown ? actionGroups : [...actionGroups, { value: action, name: action }];
  return (
    <div className="flex flex-wrap items-center gap-2.5 border-b border-line p-4 tablet:gap-3 tablet:px-6 tablet:py-4.5 tablet:[&_search]:w-60">
      <SearchField
        label="ID, name or e-mail"
        value={search}
        onSearch={(text) => change({ search: text }, { replace: true })}
      />
      <SelectFilter
        label="Who"
        choices={who}
        value={actorkind}
        onChoose={(value) => change({ actorkind: value })}
        className="w-full tablet:w-44"
      />
      <SelectFilter<string>
        label="Action"
        choices={groups}
        value={action}
        onChoose={(value) => change({ action: value })}
        className="w-full tablet:w-46"
      />
      <PeriodFilter period={period} onChoose={(chosen) => change({ ...chosen })} />
      <div className="grid max-tablet:w-full tablet:ml-auto max-tablet:[&>a]:inset-ring max-tablet:[&>a]:inset-ring-line-strong">
        <ExportLink href={`${auditCall.path}/export.csv?${new URLSearchParams(wishes)}`} />
      </div>
    </div>
  );
}
