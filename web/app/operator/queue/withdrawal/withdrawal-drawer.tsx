import { rejectwithdrawal } from '@tallystick/contract/operator/queue';
import { dayOf, timeOf } from '../../../domain/dates.ts';
import { centsOf, usd } from '../../../domain/money/amount.ts';
import { WholeAddress } from '../../../domain/money/whole-address.tsx';
import { useCoinEstimate } from '../../../domain/prices/coin-estimate.ts';
import { useWho } from '../../frame/who.ts';
import { type DrawerProps, type WithdrawalItem, whyOff } from '../item.ts';
import { MethodCell, Warning } from '../queue-row.tsx';
import { withdrawalReasons } from '../request/reasons.ts';
import { RequestDrawer } from '../request/request-drawer.tsx';
import { usedText } from '../wording.ts';
import { ApproveWithdrawal } from './approve-withdrawal.tsx';
import { PayWithdrawal } from './pay-withdrawal.tsx';

interface WithdrawalDrawerProps extends DrawerProps<WithdrawalItem> {
  /** Why all withdrawals are frozen. */
  frozen: string | null;
}

export function WithdrawalDrawer({ frozen, ...drawer }: WithdrawalDrawerProps) {
  const { of } = drawer.item;
  const { operator } = useWho();
  const estimate = useCoinEstimate(of.network, centsOf(of.amount));
  const approvals = of.approvals.map(({ name, at }) => `${name}, ${dayOf(at)} ${timeOf(at)}`);
  const Decide = of.status === 'requested' ? ApproveWithdrawal : PayWithdrawal;
  return (
    <RequestDrawer
      {...drawer}
      title={of.status === 'requested' ? 'Approve withdrawal' : 'Pay withdrawal'}
      facts={[
        { name: 'Amount', value: usd(of.amount) },
        { name: 'Worth now', value: estimate ?? 'No price is known' },
        { name: 'Method', value: <MethodCell name={of.methodname} coin={of.network} /> },
        {
          name: 'Address',
          value: of.addressused === 0 ? <Warning>New address</Warning> : usedText(of.addressused),
        },
        { name: 'Available after', value: usd(of.available) },
        {
          name: `Approvals, ${of.approvals.length} of ${of.approvalsneeded}`,
          value: approvals.join('; ') || 'None yet',
        },
      ]}
      note={
        drawer.step === 'review' && (
          <WholeAddress
            address={of.withdrawaladdress}
            qrLabel={`QR code of the address ${of.withdrawaladdress}`}
          >
            {of.methodname} address
          </WholeAddress>
        )
      }
      reject={{
        call: rejectwithdrawal,
        what: 'Withdrawal',
        choices: withdrawalReasons,
        hint: `${usd(of.amount)} goes back to the wallet.`,
      }}
    >
      {(decision) => <Decide {...decision} withdrawal={of} offBecause={whyOff(of, frozen, operator._id)} />}
    </RequestDrawer>
  );
}
