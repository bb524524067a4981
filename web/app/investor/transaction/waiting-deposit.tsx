import type { FundingRequest } from '@tallystick/contract/funding';
import { ArrowDownToLine } from 'lucide-react';
import { usd } from '../../domain/money/amount.ts';
import { shortAddress } from '../../domain/money/short-address.ts';
import { SampleChip } from '../../domain/page/sample-chip.tsx';
import { coinText } from '../../domain/prices/coin-text.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Copyable } from '../../ui/actions/copy.tsx';
import { CountNotches } from '../../ui/brand/notches.tsx';
import { confirmationsShown, depositState, depositWorth } from '../money/deposit-state.ts';
import { useShowPayment } from '../money/money-modals.tsx';
import { SendSample } from './send-sample.tsx';
import { askedAt, smallButton, WaitingRow } from './waiting-row.tsx';

/** A deposit on its way: how to pay it, then how far its network has confirmed it. */
export function WaitingDeposit({ request }: { request: FundingRequest }) {
  const show = useShowPayment();
  const { fundingtype, requestedat, announced, watched, payment } = request;
  const { name, words } = depositState(request);
  const asked = announced ? ` ${askedAt(requestedat)}` : '';
  return (
    <WaitingRow
      Icon={ArrowDownToLine}
      title={watched || payment ? name : `${fundingtype} deposit waiting for confirmation`}
      text={watched || payment ? `${fundingtype} deposit.${asked} ${words}` : `${asked.trim()} ${words}`}
      amount={depositWorth(request)}
      action={
        <Button look="soft" className={smallButton} onClick={() => show(request.transactionid, request)}>
          Payment details
        </Button>
      }
      note={
        payment ? (
          <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-label">
            <CountNotches count={confirmationsShown(payment)} of={payment.needed} />
            {coinText({ coin: request.coin, coinamount: payment.coins })}
            {request.sample && <SampleChip>Sample payment</SampleChip>}
          </div>
        ) : (
          <>
            <HowToPay request={request} />
            <SendSample request={request} />
          </>
        )
      }
    />
  );
}

/** What a wallet asks for, in short: the rest, and the QR code, are a press away. */
function HowToPay({ request }: { request: FundingRequest }) {
  const { coinamount, paymentaddress, tag, network } = request;
  const amount = coinText(request);
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-x-2 text-label">
      Send{' '}
      {coinamount && amount ? (
        <Copyable isForCopying what="the amount" shown={amount}>
          {coinamount}
        </Copyable>
      ) : (
        usd(request.amount)
      )}{' '}
      to{' '}
      <Copyable isForCopying what="the address" shown={shortAddress(paymentaddress)}>
        {paymentaddress}
      </Copyable>
      {tag !== null && (
        <>
          <b className="font-semibold text-debit">with the tag</b>{' '}
          <Copyable isForCopying what="the destination tag">
            {tag}
          </Copyable>
        </>
      )}
      {network && <span className="text-caption text-3">{network}</span>}
    </p>
  );
}
