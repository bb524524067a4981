import type { Withdrawal } from '@tallystick/contract/withdrawal';
import { usd } from '../../domain/money/amount.ts';
import { CommandModal } from '../command-modal.tsx';
import { RecordCode } from '../record-code.tsx';
import { Mono, Success } from '../success.tsx';
import { WithdrawForm } from './withdraw-form.tsx';

export function WithdrawModal({ onClose }: { onClose: () => void }) {
  return <CommandModal title="Withdrawal" onClose={onClose} Form={WithdrawForm} Done={WithdrawDone} />;
}

function WithdrawDone({ made, onClose }: { made: Withdrawal; onClose: () => void }) {
  return (
    <Success
      title="Withdrawal requested"
      text="The amount is held from your balance. You can cancel until it is approved."
      receipt={[
        { name: 'Amount', value: usd(made.withdrawalamount) },
        { name: 'Method', value: made.methodname },
        {
          name: 'Address',
          value: <span className="break-all">{<Mono>{made.withdrawaladdress}</Mono>}</span>,
        },
        { name: 'Transaction ID', value: <Mono>{made.transactionid}</Mono> },
        { name: 'Record code', value: <RecordCode transactionid={made.transactionid} /> },
      ]}
      onClose={onClose}
    />
  );
}
