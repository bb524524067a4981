import type { BalanceEntry } from '@tallystick/contract/funding';
import { Link } from 'react-router';
import { shortDayOf } from '../../domain/dates.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { centsOf } from '../../domain/money/amount.ts';
import { Button } from '../../ui/actions/button.tsx';
import { SignedMoney } from '../../ui/facts/money.tsx';
import { Card, CardTitle, RowIcon } from '../../ui/layout/card.tsx';
import { Empty } from '../../ui/lists/empty.tsx';
import { usePhone } from '../../ui/phone.ts';
import { transaction } from '../frame/sections.ts';
import { useNewestEntries } from '../money/balance.ts';
import { useOpenModal } from '../money/money-modals.tsx';
import { useMoneyOff } from '../offline/reach.ts';
import { kindOf } from '../transaction/entry-kind.ts';

/** The newest entries of the wallet, each with its record code. */
export function ActivityCard() {
  const entries = useNewestEntries();
  const open = useOpenModal();
  const off = useMoneyOff();
  const isPhone = usePhone();
  return (
    <Card aria-label="Recent activity" className="flex flex-col pt-2.5 pb-1.5 tabular-nums">
      <div className="flex items-center justify-between px-5 pb-0.5 tablet:px-6">
        <CardTitle>Recent activity</CardTitle>
        <Link
          to={isPhone ? transaction.phonePath : transaction.path}
          className="inline-flex min-h-11 items-center text-label font-semibold text-accent-text underline-offset-3 hover:underline"
        >
          View all<span className="sr-only"> entries</span>
        </Link>
      </div>
      <LiveList
        query={entries}
        tellsAge={false}
        rows={entries.data?.balance}
        ifFailed="Your entries could not be fetched. Nothing about them has changed."
        skeleton={{ height: 'h-[63px]' }}
        empty={
          <Empty title="No entries yet" text="Your first confirmed deposit will appear here.">
            <Button look="soft" {...off} onClick={() => open('fund')}>
              Fund Wallet
            </Button>
          </Empty>
        }
        phone={(rows) => (
          <ul>
            {rows.map((entry) => (
              <ActivityRow key={entry._id} entry={entry} />
            ))}
          </ul>
        )}
      />
    </Card>
  );
}

function ActivityRow({ entry }: { entry: BalanceEntry }) {
  const { Icon } = kindOf(entry);
  return (
    <li className="grid grid-cols-[36px_minmax(0,1fr)_auto] items-center gap-x-3 border-line px-5 py-3 not-first:border-t tablet:px-6">
      <RowIcon Icon={Icon} />
      <div className="min-w-0">
        <b className="block truncate text-control/5 font-label">{entry.fundingtype}</b>
        <span className="block text-caption text-3">
          {shortDayOf(entry.at)}
          {entry.withdrawalstate && `, ${entry.withdrawalstate}`}
        </span>
      </div>
      <div className="text-right">
        <b className="block text-control/5 font-semibold">
          <SignedMoney cents={centsOf(entry.finalBalance)} />
        </b>
        <span className="block font-mono text-[0.75rem]/[18px] text-3">
          <span className="sr-only">Record code </span>
          {entry.recordcode}
        </span>
      </div>
    </li>
  );
}
