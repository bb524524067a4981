import type { Investment } from '@tallystick/contract/investment';
import { formatUsd } from '@tallystick/contract/money';
import { shortDayOf } from '../../domain/dates.ts';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { useNow } from '../../domain/now.ts';
import { Button } from '../../ui/actions/button.tsx';
import { DayNotches } from '../../ui/brand/notches.tsx';
import { Card, CardTitle } from '../../ui/layout/card.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { useOpenModal } from '../money/money-modals.tsx';
import { useIsAway, useMoneyOff } from '../offline/reach.ts';
import { dayOfTerm, timeLeft, useNextMaturity } from './maturity.ts';

export function MaturityCard() {
  const { data, isError, refetch } = useNextMaturity();
  return (
    <Card
      aria-label="Next maturity"
      className="flex min-h-[238px] flex-col p-5 tabular-nums tablet:px-7 tablet:pt-[25px] tablet:pb-6"
    >
      <CardTitle>Next maturity</CardTitle>
      {data?.investment ? (
        <Running investment={data.investment} />
      ) : data ? (
        <Nothing />
      ) : isError ? (
        <div className="mt-4">
          <Failed onRetry={refetch}>Your next maturity could not be fetched.</Failed>
        </div>
      ) : (
        <Loading />
      )}
    </Card>
  );
}

function Running({ investment }: { investment: Investment }) {
  const now = useNow();
  const isAway = useIsAway();
  const { duration, openedat, maturesat, planname, investinvestmemntamount, profit } = investment;
  const day = dayOfTerm(investment, now);
  const left = timeLeft(investment, now);
  return (
    <>
      <p className="mt-2.5 text-[2rem]/[2.375rem] font-semibold tracking-[-0.03em]">
        {/* What has become of it since is not known here. */}
        {left ?? (isAway ? 'Due' : 'Being paid out')}
      </p>
      <DayNotches day={day} of={duration} isDone={left === null} className="mt-4.5 h-6.5" />
      <p className="mt-2 flex justify-between gap-2 text-caption text-3">
        <span>{shortDayOf(openedat)}</span>
        <span>
          Day {day} of {duration}
        </span>
        <span>{shortDayOf(maturesat)}</span>
      </p>
      <dl className="mt-auto grid gap-1.5 pt-4.5 text-control">
        <div className="flex justify-between gap-3">
          <dt className="text-2">{planname}, invested</dt>
          <dd className="font-semibold">{usd(investinvestmemntamount)}</dd>
        </div>
        <div className="flex justify-between gap-3">
          <dt className="text-2">Due at maturity</dt>
          <dd className="font-semibold">{formatUsd(centsOf(investinvestmemntamount) + centsOf(profit))}</dd>
        </div>
      </dl>
    </>
  );
}

function Nothing() {
  const open = useOpenModal();
  const off = useMoneyOff();
  return (
    <>
      <p className="mt-2.5 text-control text-2">
        No investment is running. Once you invest, its days are counted here.
      </p>
      <span aria-hidden="true" className="mt-4.5 flex h-6.5 gap-0.5">
        {Array.from({ length: 30 }, (_, index) => index).map((bar) => (
          <i key={bar} className="min-w-0.5 flex-1 bg-notch-rest" />
        ))}
      </span>
      <div className="mt-auto pt-4.5">
        <Button look="soft" {...off} onClick={() => open('invest')}>
          See the plans
        </Button>
      </div>
    </>
  );
}

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-1 flex-col">
      <p className="sr-only">Loading</p>
      <Skeleton className="mt-3.5 h-7.5 w-32" />
      <Skeleton className="mt-5.5 h-6.5" />
      <Skeleton className="mt-2.5 h-3 w-full" />
      <div className="mt-auto grid gap-3 pt-5">
        <Skeleton className="h-4" />
        <Skeleton className="h-4" />
      </div>
    </div>
  );
}
