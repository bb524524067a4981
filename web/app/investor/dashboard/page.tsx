import { useDeferredValue } from 'react';
import { pageMeta } from '../../brand.ts';
import { SkeletonRows } from '../../domain/lists/list-states.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useWaiting, Waiting } from '../transaction/waiting.tsx';
import { ActivityCard } from './activity-card.tsx';
import { BalanceCard } from './balance-card.tsx';
import { BitcoinCard } from './bitcoin-card.tsx';
import { HistoryCard } from './history-card.tsx';
import { MaturityCard } from './maturity-card.tsx';
import { PriceStrip } from './price-strip.tsx';
import { Welcome } from './welcome.tsx';

export const meta = () => pageMeta('Dashboard', 'Your half of the record.');

/** Beneath both cards where there are two beside each other. */
const wholeRow = 'desktop:order-1 desktop:col-span-2';

const columns =
  'grid grid-cols-[minmax(0,1fr)] gap-3.5 tablet:gap-5 desktop:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]';

/** What waits stands directly under the balance: the address to pay to is looked for there, and so is the payment. */
export default function Dashboard() {
  const waiting = useWaiting();
  // The first picture has what is first seen; what is beneath it follows at once, in a task of its own. Who comes back
  // gets all of it in one: the place that was left must be there to be scrolled to.
  const isRestDue = useDeferredValue(true, !waiting.isPending);
  // What stands beneath them has no place until it is known whether requests wait, so that nothing jumps.
  const rest = waiting.isPending ? 'hidden' : 'contents';
  return (
    <>
      <Welcome waiting={waiting.isPending ? 0 : waitingCount(waiting)} />
      <div className={columns}>
        <BalanceCard />
        {waiting.isPending ? <NotKnownYet /> : <Waiting waiting={waiting} className={wholeRow} />}
        <div className={`${rest} desktop:contents`}>
          <MaturityCard />
        </div>
      </div>
      {isRestDue && (
        <div className={rest}>
          <PriceStrip />
          <div className={columns}>
            <BitcoinCard />
            <ActivityCard />
          </div>
          <HistoryCard />
        </div>
      )}
    </>
  );
}

function NotKnownYet() {
  return (
    <Card aria-busy="true" aria-label="Loading" className={wholeRow}>
      <SkeletonRows height="h-28" count={1} />
    </Card>
  );
}

function waitingCount({ deposits, withdrawals, more }: ReturnType<typeof useWaiting>): number {
  return deposits.length + withdrawals.length + more;
}
