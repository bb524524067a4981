import { type QueuedDeposit, rejectdeposit } from '@tallystick/contract/operator/queue';
import { usd } from '../../../domain/money/amount.ts';
import { coinText } from '../../../domain/prices/coin-text.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { QuietNotice } from '../../../ui/facts/notice.tsx';
import { DrawerBody, DrawerFoot } from '../../../ui/overlays/drawer.tsx';
import { type DepositItem, type DrawerProps, firstThatCounts, type Queue } from '../item.ts';
import { MethodCell, ShortAddress } from '../queue-row.tsx';
import { depositReasons } from '../request/reasons.ts';
import { type DecisionProps, RequestDrawer } from '../request/request-drawer.tsx';
import { historyText } from '../wording.ts';
import { AgreeDeposit } from './agree-deposit.tsx';
import { ConfirmDeposit } from './confirm-deposit.tsx';
import { SeenOnChain } from './seen-payment.tsx';

export function DepositDrawer({ queue, ...drawer }: DrawerProps<DepositItem> & { queue: Queue }) {
  const { of } = drawer.item;
  const first = firstThatCounts(of);
  return (
    <RequestDrawer
      {...drawer}
      title={first ? 'Agree to a deposit' : of.payment ? 'Deposit on its way' : 'Review deposit'}
      facts={factsOf(of)}
      note={<Known of={of} />}
      reject={{
        call: rejectdeposit,
        what: 'Deposit',
        choices: depositReasons,
        hint: 'Nothing is added to the balance.',
      }}
    >
      {(decision) => {
        if (first) {
          return (
            <AgreeDeposit {...decision} deposit={of} first={first} isDropping={drawer.step === 'drop'} />
          );
        }
        if (of.payment) return <OnItsWay {...decision} />;
        return <ConfirmDeposit {...decision} deposit={of} queue={queue} />;
      }}
    </RequestDrawer>
  );
}

function Known({ of }: { of: QueuedDeposit }) {
  return (
    <>
      {of.first?.departed && (
        <QuietNotice>{`${of.first.name} had confirmed this but is an operator no more, so that does not count.`}</QuietNotice>
      )}
      {of.payment && of.chain && <SeenOnChain network={of.chain} payment={of.payment} />}
    </>
  );
}

/** The chain shows it and says when it is there for good: until then there is nothing to decide. */
function OnItsWay({ onDone, children }: DecisionProps) {
  return (
    <>
      <DrawerBody>
        {children}
        <QuietNotice>
          It is added by itself once it has its confirmations. Above the threshold an operator agrees then.
        </QuietNotice>
      </DrawerBody>
      <DrawerFoot>
        <Button onClick={onDone}>Close</Button>
      </DrawerFoot>
    </>
  );
}

const factsOf = (of: QueuedDeposit) => [
  { name: 'Declared', value: usd(of.amount) },
  { name: 'Worth when asked', value: coinText(of) ?? 'No price was known' },
  { name: 'Method', value: <MethodCell name={of.fundingtype} coin={of.coin} /> },
  { name: 'Our address', value: <ShortAddress address={of.paymentaddress} /> },
  ...(of.tag === null ? [] : [{ name: 'Tag', value: of.tag }]),
  { name: 'Earlier deposits', value: historyText(of.confirmedbefore, of.rejectedbefore) },
  { name: 'Largest so far', value: of.largestbefore === null ? 'None yet' : usd(of.largestbefore) },
];
