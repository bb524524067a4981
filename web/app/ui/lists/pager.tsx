import { pageSize } from '@tallystick/contract/list';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../actions/button.tsx';

interface PagerProps {
  /** What is paged through, for a screen reader that meets several pagers on one page. */
  label: string;
  page: number;
  pages: number;
  /** Null while nothing is known yet. */
  total: number | null;
  onPage: (page: number) => void;
  /** How many rows a page has. */
  size?: number;
  /** Ends the sentence that counts them. */
  within?: string;
}

/** Always both buttons, disabled at the ends. An empty list has one page, too. */
export function Pager(props: PagerProps) {
  const { label, page, pages, total, onPage, size = pageSize, within = '' } = props;
  const previous = useRef<HTMLButtonElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  const pressed = useRef<'previous' | 'next' | null>(null);
  const atStart = page <= 1;
  const atEnd = page >= pages;

  // A disabled button loses the focus: whoever pages with the keyboard goes on from the other one.
  useEffect(() => {
    if (pressed.current === 'next' && atEnd) previous.current?.focus();
    if (pressed.current === 'previous' && atStart) next.current?.focus();
    pressed.current = null;
  }, [atStart, atEnd]);

  function go(to: 'previous' | 'next') {
    pressed.current = to;
    onPage(to === 'next' ? page + 1 : page - 1);
  }

  return (
    <nav
      aria-label={label}
      className="flex items-center justify-between gap-3 border-t border-line px-4 py-3 text-label text-2 tabular-nums tablet:px-6 tablet:py-3.5"
    >
      <p aria-live="polite" className="max-tablet:sr-only">
        {total === null ? '\u00a0' : shownOf(page, total, size) + within}
      </p>
      <div className="flex items-center gap-3.5 max-tablet:w-full max-tablet:justify-between">
        <Button size="small" ref={previous} disabled={atStart} onClick={() => go('previous')}>
          <ChevronLeft className="size-4 max-tablet:hidden" aria-hidden="true" />
          Previous
        </Button>
        <span className="whitespace-nowrap">
          Page {page} of {pages}
        </span>
        <Button size="small" ref={next} disabled={atEnd} onClick={() => go('next')}>
          Next
          <ChevronRight className="size-4 max-tablet:hidden" aria-hidden="true" />
        </Button>
      </div>
    </nav>
  );
}

function shownOf(page: number, total: number, size = pageSize): string {
  const first = (page - 1) * size + 1;
  const last = Math.min(page * size, total);
  return last < first ? 'Nothing to show' : `Showing ${first} to ${last} of ${total.toLocaleString('en-US')}`;
}
