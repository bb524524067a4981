import { type AuditRow, audit as auditCall } from '@tallystick/contract/operator/audit';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { pageMeta } from '../../brand.ts';
import { ExportLink } from '../../domain/lists/export-link.tsx';
import { changed, wishesOf } from '../../domain/lists/list-address.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { ListSearch } from '../../domain/lists/list-tools.tsx';
import { useLive } from '../../domain/live.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty, NoHits } from '../../ui/lists/empty.tsx';
import { SelectFilter } from '../../ui/lists/filter.tsx';
import { dayFrom } from '../lists/period.ts';
import { PeriodFilter } from '../lists/period-filter.tsx';
import { AuditBlocks, AuditTable } from './audit-list.tsx';
import { actionGroups, actorKinds } from './wording.ts';

export const meta = () => pageMeta('Audit log', 'Who did what, and when.');

export default function Audit() {
  const view = useAudit();
  const { query, isFiltered, change } = view;
  return (
    <>
      <PageHead title="Audit log" note="Who did what, newest first. Nothing in it can be changed." />
      <Card aria-label="Audit log" className="overflow-hidden">
        <Tools view={view} />
        <LiveList
          query={query}
          rows={query.data?.entries}
          ifFailed="The audit log could not be fetched. Nothing in it has changed."
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
          skeleton={{ height: 'h-[92px]' }}
          phone={(entries) => <AuditBlocks entries={entries} />}
          wide={(entries) => <AuditTable entries={entries} />}
        >
          <OlderNewer view={view} />
        </LiveList>
      </Card>
    </>
  );
}

const who = [
  { value: '', name: 'Everyone' },
  ...Object.entries(actorKinds).map(([value, name]) => ({ value, name })),
];

function Tools({ view }: { view: ReturnType<typeof useAudit> }) {
  const { actorkind, action, period, wishes, change } = view;
  const isKnown = actionGroups.some(({ value }) => value === action);
  const groups = isKnown ? actionGroups : [...actionGroups, { value: action, name: action }];
  return (
    <div className="flex flex-wrap items-center gap-2.5 border-b border-line p-4 tablet:gap-3 tablet:px-6 tablet:py-4.5 tablet:[&_search]:w-60">
      <ListSearch label="ID, name or e-mail" from="before" />
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

/** A log grows at its head, so its pages have no numbers: one goes on from the last entry seen. */
function OlderNewer({ view }: { view: ReturnType<typeof useAudit> }) {
  const { query, isNewest, hasTrail, toNewer, toOlder } = view;
  const count = query.data?.entries.length ?? 0;
  return (
    <nav
      aria-label="Older and newer entries"
      className="flex items-center justify-between gap-3 border-t border-line px-4 py-3 text-label text-2 tabular-nums tablet:px-6 tablet:py-3.5"
    >
      <p aria-live="polite" className="max-tablet:sr-only">
        {query.data && `${isNewest ? 'The newest' : 'Older entries,'} ${count}`}
      </p>
      <div className="flex gap-3.5 max-tablet:w-full max-tablet:justify-between">
        <Button size="small" disabled={!toNewer} onClick={toNewer ?? undefined}>
          <ChevronLeft className="size-4 max-tablet:hidden" aria-hidden="true" />
          {isNewest || hasTrail ? 'Newer' : 'Newest'}
        </Button>
        <Button size="small" disabled={!toOlder} onClick={toOlder ?? undefined}>
          Older
          <ChevronRight className="size-4 max-tablet:hidden" aria-hidden="true" />
        </Button>
      </div>
    </nav>
  );
}

const noWishes = { search: '', actorkind: '', action: '', from: '', to: '' };

/** The pages one came through, so that Newer leads back through the same ones. */
interface Trail {
  trail?: string[];
}

/** The log as the address wishes to see it. A new wish begins at the newest entry again. */
function useAudit() {
  const [params, setParams] = useSearchParams();
  const trail = (useLocation().state as Trail | null)?.trail ?? [];
  const before = /^\d{1,15}$/.test(params.get('before') ?? '') ? (params.get('before') ?? '') : '';
  const search = (params.get('search') ?? '').slice(0, 100);
  const action = (params.get('action') ?? '').slice(0, 60);
  const actorkind = kindFrom(params.get('actorkind'));
  const period = { from: dayFrom(params.get('from')), to: dayFrom(params.get('to')) };
  const wishes = wishesOf({ search, action, actorkind, ...period });
  const query = useLive(
    auditCall,
    { query: { ...wishes, ...(before && { before }) } },
    'Error fetching the audit log:',
  );

  const change = useCallback(
    (changes: Record<string, string>, { replace = false } = {}) =>
      setParams((now) => changed(now, { ...changes, before: '' }), { replace, preventScrollReset: true }),
    [setParams],
  );
  const turn = (to: string, through: string[]) =>
    setParams((now) => changed(now, { before: to }), { state: { trail: through } satisfies Trail });

  const older = query.data?.older ?? null;
  return {
    query,
    action,
    actorkind,
    period,
    wishes,
    isFiltered: Object.keys(wishes).length > 0,
    change,
    isNewest: before === '',
    hasTrail: trail.length > 0,
    toOlder: older === null ? null : () => turn(String(older), [...trail, before]),
    toNewer: before === '' ? null : () => turn(trail.at(-1) ?? '', trail.slice(0, -1)),
  };
}

function kindFrom(text: string | null): AuditRow['actorkind'] | '' {
  return text !== null && Object.hasOwn(actorKinds, text) ? (text as AuditRow['actorkind']) : '';
}
