import { type QueuedDeposit, rejectdeposit } from '@tallystick/contract/operator/queue';
import { usd } from '../../../domain/money/amount.ts';
import { coinText } from '../../../domain/prices/coin-text.ts';
import { QuietNotice } from '../../../ui/facts/notice.tsx';
import { type DepositItem, type DrawerProps, firstThatCounts, type Queue } from '../item.ts';
import { MethodCell, ShortAddress } from '../queue-row.tsx';
import { depositReasons } from '../request/reasons.ts';
import { RequestDrawer } from '../request/request-drawer.tsx';
import { historyText } from '../wording.ts';
import { AgreeDeposit } from './agree-deposit.tsx';
import { ConfirmDeposit } from './confirm-deposit.tsx';

export function DepositDrawer({ queue, ...drawer }: DrawerProps<DepositItem> & { queue: Queue }) {
  const { of } = drawer.item;
  const first = firstThatCounts(of);
  return (
    <RequestDrawer
      {...drawer}
      title={first ? 'Agree to a deposit' : 'Review deposit'}
      facts={factsOf(of)}
      note={
        of.first?.departed && (
          <QuietNotice>{`${of.first.name} had confirmed this but is an operator no more, so that does not count.`}</QuietNotice>
        )
      }
      reject={{
        call: rejectdeposit,
        what: 'Deposit',
        choices: depositReasons,
        hint: 'Nothing is added to the balance.',
      }}
    >
      {(decision) =>
        first ? (
          <AgreeDeposit {...decision} deposit={of} first={first} isDropping={drawer.step === 'drop'} />
        ) : (
          <ConfirmDeposit {...decision} deposit={of} queue={queue} />
        )
      }
    </RequestDrawer>
  );
}

const factsOf = (of: QueuedDeposit) => [
  { name: 'Declared', value: usd(of.amount) },
  { name: 'Worth when asked', value: coinText(of) ?? 'No price was known' },
  { name: 'Method', value: <MethodCell name={of.fundingtype} coin={of.coin} /> },
  { name: 'Our address', value: <ShortAddress address={of.paymentaddress} /> },
  { name: 'Earlier deposits', value: historyText(of.confirmedbefore, of.rejectedbefore) },
  { name: 'Largest so far', value: of.largestbefore === null ? 'None yet' : usd(of.largestbefore) },
];
