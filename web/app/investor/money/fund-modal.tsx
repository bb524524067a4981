import type { FundingRequest } from '@tallystick/contract/funding';
import { CommandModal } from './command-modal.tsx';
import { FundForm } from './fund-form.tsx';
import { PaymentDetails, requestReceipt } from './payment-details.tsx';
import { Success } from './success.tsx';

export function FundModal({ onClose }: { onClose: () => void }) {
  return <CommandModal title="Fund Wallet" onClose={onClose} Form={FundForm} Done={FundDone} />;
}

function FundDone({ made, onClose }: { made: FundingRequest; onClose: () => void }) {
  return (
    <Success
      title="Request received"
      text="Now send the payment to the address below. Your assets are added once the payment is confirmed."
      receipt={requestReceipt(made)}
      onClose={onClose}
    >
      <PaymentDetails request={made} />
    </Success>
  );
}
