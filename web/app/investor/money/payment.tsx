import type { FundingRequest, PaymentMethod } from '@tallystick/contract/funding';
import { TriangleAlert } from 'lucide-react';
import { usd } from '../../domain/money/amount.ts';
import { WholeAddress } from '../../domain/money/whole-address.tsx';
import { SampleChip } from '../../domain/page/sample-chip.tsx';
import { coinText } from '../../domain/prices/coin-text.ts';
import { CopyButton } from '../../ui/actions/copy.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';

type PayTo = Pick<PaymentMethod, 'paymentname' | 'paymentaddress' | 'tag' | 'payuri' | 'network' | 'sample'>;

/** Where to send the payment. */
export function PaymentAddress({ method }: { method: PayTo }) {
  const { paymentname, paymentaddress, tag, payuri, network, sample } = method;
  // Addresses of their own are given to whoever is signed in, and a session can end while its form is open.
  if (paymentaddress === '') {
    return <QuietNotice role="alert">Your address could not be fetched. Open this form again.</QuietNotice>;
  }
  return (
    <>
      {tag !== null && <DestinationTag tag={tag} />}
      <WholeAddress
        address={paymentaddress}
        scanned={payuri}
        qrLabel={`QR code of the ${paymentname} address`}
      >
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

/** Before the address, because whoever has copied that is gone: without its tag a payment belongs to nobody. */
function DestinationTag({ tag }: { tag: string }) {
  return (
    <section
      aria-label="Destination tag"
      className="grid gap-2.5 rounded-code p-4 inset-ring-2 inset-ring-debit"
    >
      <p className="grid grid-cols-[20px_1fr] gap-2.5 text-control font-semibold text-debit">
        <TriangleAlert className="size-5" strokeWidth={1.75} aria-hidden="true" />
        Without this tag your payment does not find you.
      </p>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>
          <span className="block text-caption text-3">Destination tag</span>
          <b className="block font-mono text-[1.25rem]/7 font-semibold">{tag}</b>
        </p>
        <CopyButton text={tag} label="Copy tag" labelled />
      </div>
      <p className="text-label text-2">
        The address is everybody’s, the tag is yours. Enter it where your wallet asks for a destination tag or
        memo.
      </p>
    </section>
  );
}

function networkName(network: string): string {
  return /network$/i.test(network) ? network : `${network} network`;
}

/** Everything that a wallet asks for when a request is paid: how much of the coin, and where to. */
export function PaymentDetails({ request }: { request: FundingRequest }) {
  return (
    <>
      <CoinAmount request={request} />
      <PaymentAddress method={{ ...request, paymentname: request.fundingtype }} />
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
