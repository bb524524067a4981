import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '../../ui/actions/button.tsx';
import type { useAudit } from './use-audit.ts';

const buttonClass =
  'px-3.5! text-label! disabled:cursor-not-allowed disabled:bg-sunken disabled:text-3 disabled:inset-ring-line disabled:active:translate-y-0 tablet:min-h-9! tablet:rounded-small!';

/** A log grows at its head, so its pages have no numbers: one goes on from the last entry seen. */
export function OlderNewer({ view }: { view: ReturnType<typeof useAudit> }) {
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
        <Button disabled={!toNewer} onClick={toNewer ?? undefined} className={buttonClass}>
          <ChevronLeft className="size-4 max-tablet:hidden" aria-hidden="true" />
          {isNewest || hasTrail ? 'Newer' : 'Newest'}
        </Button>
        <Button disabled={!toOlder} onClick={toOlder ?? undefined} className={buttonClass}>
          Older
          <ChevronRight className="size-4 max-tablet:hidden" aria-hidden="true" />
        </Button>
      </div>
    </nav>
  );
}
