import type { FundingRequest, PaymentMethod } from '@tallystick/contract/funding';
import { TriangleAlert } from 'lucide-react';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import { WholeAddress } from '../../domain/money/whole-address.tsx';
import { SampleChip } from '../../domain/page/sample-chip.tsx';
import { coinText } from '../../domain/prices/coin-text.ts';
import { CopyButton } from '../../ui/actions/copy.tsx';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { Mono, Receipt } from './command-modal.tsx';

type PayTo = Pick<PaymentMethod, 'paymentname' | 'paymentaddress' | 'network' | 'sample'>;

/** Where to send the payment. */
export function PaymentAddress({ method }: { method: PayTo }) {
  const { paymentname, paymentaddress, network, sample } = method;
  return (
    <>
      <WholeAddress address={paymentaddress} qrLabel={`QR code of the ${paymentname} address`}>
        {paymentname} address {sample && <SampleChip />}
      </WholeAddress>
      <p className="grid grid-cols-[18px_1fr] gap-2.5 text-label text-2">
        <TriangleAlert className="mt-px size-4.5" strokeWidth={1.75} aria-hidden="true" />
        <span>
          Send only {paymentname}
          {network && `, on the ${networkName(network)}`}. Anything else sent here cannot be recovered.
          {sample && ' This is a sample address: do not send real money to it.'}
        </span>
      </p>
    </>
  );
}

function networkName(network: string): string {
  return /network$/i.test(network) ? network : `${network} network`;
}

/** Everything that a wallet asks for when a request is paid: how much of the coin, and where to. */
export function PaymentDetails({ request }: { request: FundingRequest }) {
  const { fundingtype: paymentname, paymentaddress, network, sample } = request;
  return (
    <>
      <CoinAmount request={request} />
      <PaymentAddress method={{ paymentname, paymentaddress, network, sample }} />
    </>
  );
}

function CoinAmount({ request }: { request: FundingRequest }) {
  const amount = coinText(request);
  return (
    <div className="flex items-center justify-between gap-4 rounded-code bg-sunken px-4 py-3 tabular-nums inset-ring inset-ring-line">
      <p className="min-w-0">
        <span className="block text-caption text-3">Send</span>
        <b className="block text-[1.25rem]/7 font-semibold tracking-[-0.02em] wrap-anywhere">
          {amount ?? `${usd(request.amount)} in ${request.fundingtype}`}
        </b>
        <span className="block text-caption text-3">
          {amount ? `Worth ${usd(request.amount)} when you asked.` : 'No price was known when you asked.'}
        </span>
      </p>
      {request.coinamount && <CopyButton text={request.coinamount} label="Copy amount" labelled />}
    </div>
  );
}

/** The request itself, for whoever asks about it later. */
export function requestReceipt(request: FundingRequest) {
  return [
    { name: 'Amount', value: usd(request.amount) },
    { name: 'Method', value: request.fundingtype },
    { name: 'Network', value: request.network },
    { name: 'State', value: 'Waiting for confirmation' },
    { name: 'Transaction ID', value: <Mono>{request.transactionid}</Mono> },
  ].filter(({ value }) => value !== '');
}

/** How to pay a request that waits, as it was shown when it was made. */
export function PaymentModal({ request, onClose }: { request: FundingRequest; onClose: () => void }) {
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
