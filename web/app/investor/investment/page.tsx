import { pathOf } from '@tallystick/contract/call';
import { fetchsingleinvestment, investmentsums } from '@tallystick/contract/investment';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { pageMeta } from '../../brand.ts';
import { momentOf } from '../../domain/dates.ts';
import { csvOf, ExportLink } from '../../domain/lists/export-link.tsx';
import { useLive } from '../../domain/live.ts';
import { usd } from '../../domain/money/amount.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { useSession } from '../../storage.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { usePhone } from '../../ui/phone.ts';
import { useSummary } from '../money/balance.ts';
import { useOpenModal } from '../money/money-modals.tsx';
import { useIsAway, useMoneyOff } from '../offline/reach.ts';
import { Investments, useInvestments } from './investments.tsx';
import { RowForms } from './row-forms.tsx';

export const meta = () => pageMeta('Investments', 'What you invested, how far it is and what it pays.');

export default function InvestmentPage() {
  const userid = useSession()?._id ?? '';
  const view = useInvestments(userid);
  const sums = useSums();
  const counts = sums.data;
  const isPhone = usePhone();
  const open = useOpenModal();
  const off = useMoneyOff();
  const csv = csvOf(pathOf(fetchsingleinvestment, { userid }), view.wishes);

  const addButton = (
    <Button
      look="primary"
      size={isPhone ? 'large' : 'medium'}
      className="max-tablet:w-full"
      {...off}
      onClick={() => open('invest')}
    >
      <Plus className="size-4" aria-hidden="true" />
      Add Investment
    </Button>
  );
  return (
    <>
      <PageHead
        title="Investments"
        note={counts ? `${counts.ongoing} ongoing, ${counts.completed} completed.` : ''}
        beside={isPhone ? <ExportLink href={csv} isIcon /> : addButton}
      />
      {isPhone && addButton}
      <Sums sums={sums} />
      <RowForms>
        <Investments
          view={view}
          counts={counts}
          exportLink={<ExportLink href={csv} />}
          addButton={addButton}
        />
      </RowForms>
    </>
  );
}

/** How many there are of each kind and what they pay, added up by the server. */
const useSums = () => useLive(investmentsums, {}, 'Error fetching investments:');

function Sums({ sums }: { sums: ReturnType<typeof useSums> }) {
  const invested = useSummary();
  const isOld = useIsAway() || invested.isError;
  return (
    <Card
      aria-label="Sums"
      className="grid tablet:grid-cols-3 tablet:*:not-first:border-l max-tablet:*:not-first:border-t *:border-line"
    >
      <Sum
        name={invested.data && isOld ? `Invested as of ${momentOf(invested.dataUpdatedAt)}` : 'Invested now'}
        failed={invested.isError}
      >
        {invested.data && usd(invested.data.invested)}
      </Sum>
      <Sum name="Profit due at maturity" failed={sums.isError}>
        {sums.data && usd(sums.data.profitdue)}
      </Sum>
      <Sum name="Profit paid so far" failed={sums.isError}>
        {sums.data && usd(sums.data.profitpaid)}
      </Sum>
    </Card>
  );
}

function Sum({ name, failed, children }: { name: string; failed: boolean; children: ReactNode }) {
  return (
    <dl className="px-5 py-3 max-tablet:flex max-tablet:items-center max-tablet:justify-between tablet:px-7 tablet:py-5">
      <dt className="text-label text-2">{name}</dt>
      <dd className="flow-root min-h-6 text-[1.0625rem]/6 font-semibold tracking-[-0.02em] tablet:min-h-7.5 tablet:text-[1.5rem]/7.5">
        {children || (failed ? <NotKnown /> : <Skeleton className="mt-1.5 h-4 w-28" />)}
      </dd>
    </dl>
  );
}

function NotKnown() {
  return <span className="text-label font-normal tracking-normal text-3">Not known right now</span>;
}
