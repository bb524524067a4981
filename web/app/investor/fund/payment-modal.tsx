import type { FundingRequest } from '@tallystick/contract/funding';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { Receipt } from '../success.tsx';
import { PaymentDetails, requestReceipt } from './payment-details.tsx';

interface PaymentModalProps {
  request: FundingRequest;
  onClose: () => void;
}

/** How to pay a request that waits, as it was shown when it was made. */
export function PaymentModal({ request, onClose }: PaymentModalProps) {
  return (
    <Modal narrow onClose={onClose}>
      <ModalHead>Payment details</ModalHead>
      <ModalBody>
        <p className="text-control text-2 tabular-nums">
          Asked {dayOf(request.requestedat)}, {timeOf(request.requestedat)}. Your assets are added once the
          payment is confirmed.
        </p>
        <PaymentDetails request={request} />
        <Receipt rows={requestReceipt(request)} />
      </ModalBody>
    </Modal>
  );
}
