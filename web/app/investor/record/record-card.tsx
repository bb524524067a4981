import { ChevronRight, CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { counted, timeOf } from '../../domain/dates.ts';
import type { RecordState } from './use-record-check.ts';

/** Says what the check of the record came to, and nothing that was not just computed. */
export function RecordCard({ state }: { state: RecordState }) {
  const { title, text, isAlarm } = wordsOf(state);
  const words = (
    <span className="block min-w-0 text-caption text-on-ink-2 tabular-nums">
      <span className="block text-label/[18px] font-semibold text-on-ink">{title}</span>
      <span className="block">{text}</span>
    </span>
  );
  // What has been found to match, or to be empty, leads on to the whole proof.
  if (state.kind === 'match') {
    return (
      <Link to="/myproof" prefetch="intent" className={`${cardClass} hover:inset-ring-on-ink-2`}>
        <Halves apart={false} />
        {words}
        <ChevronRight className="ml-auto size-4.5 shrink-0 text-on-ink-2" aria-hidden="true" />
      </Link>
    );
  }
  return (
    <div role={isAlarm ? 'alert' : undefined} className={cardClass}>
      {isAlarm ? (
        <CircleAlert className="size-6.5 shrink-0 text-hazel-hi" strokeWidth={1.75} aria-hidden="true" />
      ) : (
        <Halves apart />
      )}
      {words}
    </div>
  );
}

const cardClass =
  'flex items-center gap-3 rounded-large bg-ink-2 py-2.5 pr-4 pl-3 inset-ring inset-ring-ink-line max-desktop:mt-3.5 tablet:max-w-[420px] tablet:min-w-[268px]';

function Halves({ apart }: { apart: boolean }) {
  return (
    <svg
      viewBox="0 0 26 30"
      className="h-7.5 w-6.5 shrink-0 text-hazel-hi"
      fill="currentColor"
      aria-hidden="true"
    >
      <path d={apart ? 'M0 2h10v5L6 10l4 3v4l-4 3 4 3v5H0Z' : 'M2 2h10v5L8 10l4 3v4l-4 3 4 3v5H2Z'} />
      <path
        opacity=".62"
        d={apart ? 'M26 2H16v5l4 3-4 3v4l4 3-4 3v5h10Z' : 'M24 2H14v5l4 3-4 3v4l4 3-4 3v5h10Z'}
      />
    </svg>
  );
}

interface Words {
  title: string;
  text: ReactNode;
  isAlarm?: boolean;
}

const linkClass = 'font-semibold text-on-ink underline underline-offset-3';

function wordsOf(state: RecordState): Words {
  switch (state.kind) {
    case 'checking':
      return { title: 'Checking the record', text: 'Your browser recomputes it.' };
    case 'unchecked':
      return {
        title: 'The record was not checked',
        text: (
          <>
            It could not be read.{' '}
            {state.retry && (
              <button type="button" onClick={state.retry} className={linkClass}>
                Check again
              </button>
            )}
          </>
        ),
      };
    case 'match':
      if (state.count === 0) {
        return { title: 'No entries yet', text: `Looked at ${timeOf(state.at)}` };
      }
      return {
        title: 'Both halves match',
        text: `${entriesText(state.count)}, checked ${timeOf(state.at)}`,
      };
    case 'mismatch':
      return {
        title: 'The halves do not match',
        isAlarm: true,
        text: (
          <>
            {mismatchText(state.why)} Please{' '}
            <Link to="/contactus" className={linkClass}>
              contact support
            </Link>
            .
          </>
        ),
      };
  }
}

const entriesText = (count: number) => counted(count, 'entry', 'entries');

function mismatchText(why: Extract<RecordState, { kind: 'mismatch' }>['why']): string {
  switch (why.kind) {
    case 'altered':
      return `Entry ${why.seq}, ${why.transactionid}, or one before it was altered.`;
    case 'missing':
      return `Entry ${why.seq} is missing.`;
    case 'shortened':
      return `You have seen ${entriesText(why.seq)}; now some are gone.`;
    case 'other head':
      return `Something up to entry ${why.seq} was altered since you last looked.`;
    case 'other sum':
      return 'The balance shown is not the sum of your entries.';
  }
}
