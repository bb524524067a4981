import { pageMeta } from '../../brand.ts';
import { useWaiting, Waiting } from '../transaction/waiting.tsx';
import { ActivityCard } from './activity-card.tsx';
import { BalanceCard } from './balance-card.tsx';
import { BitcoinCard } from './bitcoin-card.tsx';
import { HistoryCard } from './history-card.tsx';
import { MaturityCard } from './maturity-card.tsx';
import { PriceStrip } from './price-strip.tsx';
import { Welcome } from './welcome.tsx';

export function meta() {
  return pageMeta('Dashboard', 'Your half of the record.');
}

const columns =
  'grid grid-cols-[minmax(0,1fr)] gap-3.5 tablet:gap-5 desktop:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]';

/**
 * What comes and goes, the requests that wait, stands under what is always there: nothing that someone is reading
 * moves when a deposit is confirmed.
 */
export default function Dashboard() {
  const waiting = useWaiting();
  return (
    <>
      <Welcome waiting={waiting.isPending ? 0 : waitingCount(waiting)} />
      <div className={columns}>
        <BalanceCard />
        <MaturityCard />
      </div>
      <PriceStrip />
      <div className={columns}>
        <BitcoinCard />
        <ActivityCard />
      </div>
      <Waiting waiting={waiting} />
      <HistoryCard />
    </>
  );
}

function waitingCount({ deposits, withdrawals, more }: ReturnType<typeof useWaiting>): number {
  return deposits.length + withdrawals.length + more;
}
