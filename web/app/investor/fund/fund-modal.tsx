import type { FundingRequest } from '@tallystick/contract/funding';
import { usd } from '../../domain/amount.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { CommandModal } from '../command-modal.tsx';
import { Mono, Success } from '../success.tsx';
import { FundForm } from './fund-form.tsx';

export function FundModal({ onClose }: { onClose: () => void }) {
  return <CommandModal title="Fund Wallet" onClose={onClose} Form={FundForm} Done={FundDone} />;
}

function FundDone({ made, onClose }: { made: FundingRequest; onClose: () => void }) {
  return (
    <Success
      title="Request received"
      text="Now send the payment to the address below. Your assets are added once the payment is confirmed."
      receipt={[
        { name: 'Amount', value: usd(made.amount) },
        { name: 'Method', value: made.fundingtype },
        { name: 'Send to', value: <Copyable what="the address">{made.paymentaddress}</Copyable> },
        { name: 'State', value: 'Waiting for confirmation' },
        { name: 'Transaction ID', value: <Mono>{made.transactionid}</Mono> },
      ]}
      onClose={onClose}
    />
  );
}
