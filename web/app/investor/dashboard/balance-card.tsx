import {
  ArrowDownToLine,
  ArrowUpFromLine,
  type LucideIcon,
  type LucideProps,
  TrendingUp,
} from 'lucide-react';
import { counted, momentOf } from '../../domain/dates.ts';
import { centsOf } from '../../domain/money/amount.ts';
import { Button } from '../../ui/actions/button.tsx';
import { BigMoney } from '../../ui/facts/money.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { useSummary } from '../money/balance.ts';
import { type MoneyModal, useOpeningModal, useOpenModal } from '../money/money-modals.tsx';
import { useIsAway, useMoneyOff } from '../offline/reach.ts';
import { SplitBar } from './split-bar.tsx';

/** What can be spent, and beneath it everything that belongs to the investor. */
export function BalanceCard() {
  const { data, isError, refetch, dataUpdatedAt } = useSummary();
  const isAway = useIsAway();
  return (
    <Card
      aria-label="Balance"
      className="grid content-between gap-5 p-5 tablet:gap-6 tablet:px-7 tablet:pt-[25px] tablet:pb-6"
    >
      <div className="flex items-start justify-between gap-x-6 gap-y-5 max-desktop:flex-wrap">
        <div className="min-w-0">
          <h2 className="flex items-center gap-2 text-control/5 font-normal text-2">
            <i className="size-2.5 rounded-[3px] bg-accent-text" />
            Total balance in USD
          </h2>
          <p className="mt-1.5 flow-root text-[clamp(2rem,10.5vw,2.625rem)]/12 font-semibold tracking-[-0.035em] tablet:text-[3rem]/[3.375rem]">
            {data ? (
              <BigMoney cents={centsOf(data.available)} />
            ) : isError ? (
              <span className="text-3">–</span>
            ) : (
              <Skeleton className="my-1.5 h-9 w-44 tablet:h-[42px]" />
            )}
          </p>
          <p className="mt-1 min-h-5 text-label text-3 tabular-nums">
            {data && (isAway || isError ? sinceOf(dataUpdatedAt, isAway) : captionOf(data.entries))}
          </p>
        </div>
        <WideActions />
      </div>
      <PhoneActions />
      {data ? (
        <SplitBar
          availableCents={centsOf(data.available)}
          investedCents={centsOf(data.invested)}
          withdrawingCents={centsOf(data.withdrawing)}
          togetherCents={centsOf(data.together)}
        />
      ) : isError ? (
        <Failed onRetry={refetch}>Your balance could not be fetched. Nothing about it has changed.</Failed>
      ) : (
        <WaitingSplit />
      )}
    </Card>
  );
}

function captionOf(entries: number): string {
  if (entries === 0) return 'No entries yet. Fund your wallet to begin.';
  if (entries === 1) return 'Available now. Your one entry.';
  return `Available now. The sum of your ${counted(entries, 'entry', 'entries')}.`;
}

/** Why it is not newer is said on top of the screen while nothing comes at all. */
function sinceOf(at: number, isAway: boolean): string {
  return `As of ${momentOf(at)}.${isAway ? '' : ' The newest could not be fetched.'}`;
}

function WaitingSplit() {
  return (
    <div aria-busy="true">
      <p className="sr-only">Loading</p>
      <Skeleton className="h-5" />
      <div className="mt-2.5 grid gap-px tablet:mt-4 tablet:grid-cols-3">
        {['invested', 'withdrawn', 'together'].map((part) => (
          <div key={part} className="flex h-10.5 items-center justify-between tablet:block tablet:h-[49px]">
            <Skeleton className="h-3.5 w-24 tablet:mt-1" />
            <Skeleton className="h-4 w-20 tablet:mt-2.5" />
          </div>
        ))}
      </div>
    </div>
  );
}

interface Action {
  modal: MoneyModal;
  name: string;
  phoneName: string;
  Icon: LucideIcon;
}

const fund: Action = { modal: 'fund', name: 'Fund Wallet', phoneName: 'Fund', Icon: ArrowDownToLine };
const invest: Action = { modal: 'invest', name: 'Invest', phoneName: 'Invest', Icon: TrendingUp };
const withdraw: Action = {
  modal: 'withdraw',
  name: 'Withdrawal',
  phoneName: 'Withdraw',
  Icon: ArrowUpFromLine,
};

/** Turns while the form is being fetched, so that nobody presses in vain. */
function ActionIcon({ Icon, isOpening, ...look }: { Icon: LucideIcon; isOpening: boolean } & LucideProps) {
  if (!isOpening) return <Icon {...look} aria-hidden="true" />;
  return (
    <span className={`grid place-items-center ${look.className}`}>
      <Spinner />
    </span>
  );
}

function WideActions() {
  const open = useOpenModal();
  const opening = useOpeningModal();
  const off = useMoneyOff();
  return (
    <div className="flex flex-wrap gap-2.5 max-tablet:hidden">
      {[withdraw, fund, invest].map(({ modal, name, Icon }) => (
        <Button
          key={modal}
          look={modal === 'invest' ? 'primary' : 'secondary'}
          aria-busy={opening === modal}
          {...off}
          onClick={() => open(modal)}
        >
          <ActionIcon Icon={Icon} isOpening={opening === modal} className="size-4" />
          {name}
        </Button>
      ))}
    </div>
  );
}

function PhoneActions() {
  const open = useOpenModal();
  const opening = useOpeningModal();
  const off = useMoneyOff();
  return (
    <div className="grid grid-cols-3 gap-2 tablet:hidden">
      {[fund, invest, withdraw].map(({ modal, phoneName, Icon }) => (
        <button
          key={modal}
          type="button"
          aria-busy={opening === modal}
          {...off}
          onClick={() => open(modal)}
          className={`grid h-16 place-content-center justify-items-center gap-[5px] rounded-code text-label/[18px] font-semibold ${modal === 'invest' ? 'bg-accent text-on-accent active:bg-accent-press' : 'inset-ring inset-ring-line-strong active:bg-sunken'} disabled:cursor-not-allowed disabled:bg-sunken disabled:text-3 disabled:inset-ring disabled:inset-ring-line`}
        >
          <ActionIcon Icon={Icon} isOpening={opening === modal} className="size-5" strokeWidth={1.75} />
          {phoneName}
        </button>
      ))}
    </div>
  );
}
