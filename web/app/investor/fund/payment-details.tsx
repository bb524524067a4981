import type { FundingRequest } from '@tallystick/contract/funding';
import { usd } from '../../domain/money/amount.ts';
import { coinText } from '../../domain/prices/coin-text.ts';
import { CopyButton } from '../../ui/actions/copy-button.tsx';
import { Mono } from '../success.tsx';
import { PaymentAddress } from './payment-address.tsx';

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
