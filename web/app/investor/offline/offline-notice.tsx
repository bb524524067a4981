import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { momentOf } from '../../domain/dates.ts';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { home, investment, transaction, useCurrentSection } from '../frame/sections.ts';
import { useSummary } from '../money/balance.ts';
import { offlineNoticeId, type Reach, useReach } from './reach.ts';

const titles: Record<Exclude<Reach, 'answers'>, string> = {
  offline: 'You are offline.',
  silent: 'The server cannot be reached.',
  barred: 'The server cannot be reached: something on the way answers in its place.',
};

/** On top of every screen while no answer comes. The place is always there, so that it is read out when it fills. */
export function OfflineNotice({ isDashboard }: { isDashboard: boolean }) {
  const reach = useReach();
  const isCurrent = useCurrentSection();
  const showsSome = isCurrent(transaction) || isCurrent(investment);
  return (
    <div id={offlineNoticeId} role="status" className="empty:absolute">
      {reach !== 'answers' && (
        <QuietNotice>
          <b className="font-semibold text-1">{titles[reach]}</b>{' '}
          {isDashboard ? <FiguresSince /> : showsSome ? <SomeSince /> : <OtherScreen />}
        </QuietNotice>
      )}
    </div>
  );
}

function FiguresSince(): ReactNode {
  const { data, dataUpdatedAt } = useSummary();
  if (!data) return 'No figures of yours are kept in this browser; they come back with the connection.';
  return (
    <>
      These are your figures as of <Moment at={dataUpdatedAt} />. Money can be moved when the connection is
      back.
    </>
  );
}

/** Of a screen that shows some of the same figures. */
function SomeSince(): ReactNode {
  const { data, dataUpdatedAt } = useSummary();
  if (!data) return <OtherScreen />;
  return (
    <>
      Your figures here are as of <Moment at={dataUpdatedAt} />; the rest fills by itself when the connection
      is back. Money can be moved then, too.
    </>
  );
}

/** In one line: a day apart from its month reads like a sum. */
const Moment = ({ at }: { at: number }) => <span className="whitespace-nowrap">{momentOf(at)}</span>;

function OtherScreen() {
  return (
    <>
      This screen needs the connection and fills by itself when it is back. Your last known figures are on
      your{' '}
      <Link to={home.path} className="font-semibold text-accent-text underline underline-offset-3">
        dashboard
      </Link>
      .
    </>
  );
}
