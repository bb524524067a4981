import { type AuditRow, audit as auditCall } from '@tallystick/contract/operator/audit';
import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { changed, wishesOf } from '../../domain/lists/list-address.ts';
import { useLive } from '../../domain/live.ts';
import { dayFrom } from '../lists/period.ts';
import { actorKinds } from './wording.ts';

export const noWishes = { search: '', actorkind: '', action: '', from: '', to: '' };

/** The pages one came through, so that Newer leads back through the same ones. */
interface Trail {
  trail?: string[];
}

/** The log as the address wishes to see it. A new wish begins at the newest entry again. */
export function useAudit() {
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
