import type { CallAnswer } from '@tallystick/contract/call';
import { formatUsd } from '@tallystick/contract/money';
import { payouts } from '@tallystick/contract/operator/payouts';
import { pageMeta } from '../../brand.ts';
import { timeOf } from '../../domain/dates.ts';
import { SkeletonRows } from '../../domain/lists/list-states.tsx';
import { useLive } from '../../domain/live.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty, Failed } from '../../ui/lists/empty.tsx';
import { withdrawalsText } from '../facts/sheets.ts';
import { NetworkPayouts } from './network-payouts.tsx';
import { SheetList } from './sheet-list.tsx';
import { sumOf } from './sums.ts';
import { UnknownPayouts } from './unknown-payouts.tsx';

export const meta = () => pageMeta('Payouts', 'Approved withdrawals, and the sheets that pay them.');

export default function Payouts() {
  const { data, isError, dataUpdatedAt, refetch } = useLive(payouts, {}, 'Error fetching the payouts:');
  return (
    <>
      <PageHead title="Payouts" note={data ? waitingText(data) : '\u00a0'} />
      {data && isError && (
        <Failed onRetry={() => void refetch()}>
          {`This is how it was at ${timeOf(new Date(dataUpdatedAt).toISOString())}. The newest could not be fetched.`}
        </Failed>
      )}
      {data && <AllPayouts data={data} />}
      {!data && isError && (
        <Failed onRetry={() => void refetch()}>The payouts could not be fetched. Nothing has changed.</Failed>
      )}
      {!data && !isError && (
        <Card aria-busy="true" aria-label="Loading">
          <SkeletonRows height="h-18" />
        </Card>
      )}
    </>
  );
}

type Answer = CallAnswer<typeof payouts>;

function waitingText({ networks, total }: Answer): string {
  const all = networks.flatMap(({ withdrawals }) => withdrawals);
  if (total > all.length) {
    return `${withdrawalsText(total)} wait to be paid. The oldest ${all.length} are listed, ${formatUsd(sumOf(all))}.`;
  }
  if (all.length === 0) return 'No approved withdrawal waits for a sheet.';
  const wait = all.length === 1 ? 'waits' : 'wait';
  return `${withdrawalsText(all.length)}, ${formatUsd(sumOf(all))}, ${wait} to be paid.`;
}

function AllPayouts({ data }: { data: Answer }) {
  const waiting = data.networks.filter(({ withdrawals }) => withdrawals.length > 0);
  return (
    <>
      {data.unknown.length > 0 && <UnknownPayouts payouts={data.unknown} />}
      {data.open.length > 0 && <SheetList title="Open sheets" sheets={data.open} />}
      {waiting.map((payable) => (
        <NetworkPayouts key={payable.network} payable={payable} />
      ))}
      {waiting.length === 0 && (
        <Card aria-label="To be paid">
          <Empty
            title="Nothing to put on a sheet"
            text="Withdrawals come here once they are approved in the queue, each under its network."
          />
        </Card>
      )}
      {data.ended.length > 0 && <SheetList title="Ended sheets" sheets={data.ended} />}
    </>
  );
}
