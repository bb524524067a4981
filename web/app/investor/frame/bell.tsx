import { unreadnotices } from '@tallystick/contract/notices';
import { Bell as BellIcon } from 'lucide-react';
import { Link } from 'react-router';
import { useLive } from '../../domain/live.ts';

/** Leads to what happened, and says how much of it was not read yet. */
export function Bell() {
  const unread = useLive(unreadnotices, {}, 'Error fetching the count of notices:').data?.unread ?? 0;
  const count = unread > 99 ? '99+' : unread;
  return (
    <Link
      to="/notices"
      prefetch="intent"
      aria-label={unread ? `Notices, ${count} unread` : 'Notices'}
      className="relative grid size-11 place-items-center rounded-full text-2 hover:text-1"
    >
      <BellIcon className="size-5" strokeWidth={1.75} aria-hidden="true" />
      {unread > 0 && (
        <span className="absolute top-0.5 left-5.5 min-w-5 rounded-full bg-accent px-0.5 text-center text-[0.6875rem]/5 font-semibold text-on-accent tabular-nums">
          {count}
        </span>
      )}
    </Link>
  );
}
