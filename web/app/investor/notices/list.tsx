import { type Notice, type Topic, unreadnotices } from '@tallystick/contract/notices';
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  FileText,
  type LucideIcon,
  ShieldCheck,
  TrendingUp,
  WalletMinimal,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { timeOf } from '../../domain/dates.ts';
import { failureDetail } from '../../domain/forms/submission.tsx';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { useLive } from '../../domain/live.ts';
import { useNow } from '../../domain/now.ts';
import { logFailure } from '../../log.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Card, RowIcon } from '../../ui/layout/card.tsx';
import { Empty } from '../../ui/lists/empty.tsx';
import { toastFailure } from '../../ui/overlays/toast.tsx';
import { useIsAway } from '../offline/reach.ts';
import { useNotices, useReading } from './use-notices.ts';
import { byDay, placeOf } from './wording.ts';

const icons: Record<Topic, LucideIcon> = {
  deposits: ArrowDownToLine,
  investments: TrendingUp,
  terms: FileText,
  withdrawals: ArrowUpFromLine,
  addresses: WalletMinimal,
  security: ShieldCheck,
};

export function NoticeList() {
  const query = useNotices();
  const rows = query.data?.pages.flatMap(({ notices }) => notices);
  const { isNew, markAll } = useReading(rows ?? [], query.dataUpdatedAt);
  const unread = useLive(unreadnotices, {}, 'Error fetching the count of notices:').data?.unread ?? 0;
  const hasNew = unread > 0 || (rows?.some(isNew) ?? false);
  const [isMarked, setMarked] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  async function mark() {
    await markAll();
    setMarked(true);
    // The button goes, and nothing takes its place.
    heading.current?.focus();
  }
  return (
    <Card aria-labelledby="happened" className="tabular-nums">
      <div className="flex min-h-16 items-center justify-between gap-3 border-b border-line px-5 py-2.5 tablet:px-7">
        <h2
          ref={heading}
          tabIndex={-1}
          id="happened"
          className="text-body/5.5 tracking-[-0.01em] outline-none"
        >
          What happened
        </h2>
        <p role="status" className="sr-only">
          {isMarked && !hasNew && 'All are marked as read.'}
        </p>
        {hasNew && <MarkAll markAll={mark} />}
      </div>
      <LiveList
        query={query}
        rows={rows}
        ifFailed="Your notices could not be fetched. Nothing about them has changed."
        skeleton={{ height: 'h-20' }}
        empty={
          <Empty
            title="Nothing has happened yet"
            text="Deposits, investments, withdrawals and changes to your account will be listed here."
          />
        }
        phone={(shown) => (
          <div>
            <Days notices={shown} isNew={isNew} />
          </div>
        )}
      >
        {query.hasNextPage && (
          <div className="border-t border-line p-3 text-center tablet:px-6">
            <Button size="small" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
              {query.isFetchingNextPage ? 'Loading' : 'Show older'}
            </Button>
          </div>
        )}
      </LiveList>
    </Card>
  );
}

function MarkAll({ markAll }: { markAll: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const isAway = useIsAway();
  async function press() {
    setBusy(true);
    try {
      await markAll();
    } catch (error) {
      logFailure('Error marking all notices as read:', error);
      toastFailure('They were not marked as read', failureDetail(error));
    }
    setBusy(false);
  }
  return (
    <Button look="quiet" size="small" busy={busy} disabled={isAway} onClick={press} className="-mr-3.5">
      Mark all as read
    </Button>
  );
}

interface DaysProps {
  notices: readonly Notice[];
  isNew: (notice: Notice) => boolean;
}

function Days({ notices, isNew }: DaysProps) {
  const now = useNow();
  return byDay(notices, now).map(({ day, notices: ofDay }) => (
    <section key={day} aria-label={day} className="border-line not-first:border-t">
      <h3 className="px-5 pt-4 pb-1 text-caption font-label text-3 tablet:px-7">{day}</h3>
      <ul>
        {ofDay.map((notice) => (
          <NoticeRow key={notice._id} notice={notice} isNew={isNew(notice)} />
        ))}
      </ul>
    </section>
  ));
}

function NoticeRow({ notice, isNew }: { notice: Notice; isNew: boolean }) {
  const { topic, title, line, at } = notice;
  return (
    <li className="border-line not-first:border-t">
      <Link
        to={placeOf(notice)}
        prefetch="intent"
        className="grid grid-cols-[36px_minmax(0,1fr)_8px] items-center gap-x-3.5 px-5 py-3.5 hover:bg-sunken tablet:px-7"
      >
        <RowIcon Icon={icons[topic]} />
        <span className="min-w-0">
          {isNew && <span className="sr-only">Unread. </span>}
          <span className={`block text-control/5.5 wrap-anywhere ${isNew ? 'font-semibold' : 'font-medium'}`}>
            {title}
          </span>
          <span className="block text-label text-2 wrap-anywhere">{line}</span>
          <span className="block text-caption text-3">{timeOf(at)}</span>
        </span>
        {isNew && <span className="size-2 rounded-full bg-accent" aria-hidden="true" />}
      </Link>
    </li>
  );
}
