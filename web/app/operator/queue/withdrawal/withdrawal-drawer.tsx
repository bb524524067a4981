import { type Network, networkNameOf } from '@tallystick/contract/networks';
import {
  approvewithdrawal,
  paywithdrawal,
  type QueuedWithdrawal,
  rejectwithdrawal,
} from '@tallystick/contract/operator/queue';
import { useEffect, useMemo, useRef } from 'react';
import { z } from 'zod';
import { dayOf, timeOf } from '../../../domain/dates.ts';
import { EffectBox } from '../../../domain/forms/form-notes.tsx';
import { centsOf, usd } from '../../../domain/money/amount.ts';
import { WholeAddress } from '../../../domain/money/whole-address.tsx';
import { useCoinEstimate } from '../../../domain/prices/coin-estimate.ts';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { Copyable } from '../../../ui/actions/copy.tsx';
import { QuietNotice } from '../../../ui/facts/notice.tsx';
import { Spinner } from '../../../ui/facts/spinner.tsx';
import { DrawerBody, DrawerFoot, DrawerForm } from '../../../ui/overlays/drawer.tsx';
import { useAct } from '../../forms/act.ts';
import { useActForm, useTyping } from '../../forms/act-form.ts';
import { useWho } from '../../frame/who.ts';
import { type DrawerProps, firstPaymentThatCounts, type WithdrawalItem, whyOff } from '../item.ts';
import { MethodCell, Warning } from '../queue-row.tsx';
import { OnTheNetwork, outputOf, paymentFields } from '../request/on-the-network.tsx';
import { withdrawalReasons } from '../request/reasons.ts';
import { type DecisionProps, RequestDrawer } from '../request/request-drawer.tsx';
import { protectedText, savedText, usedText } from '../wording.ts';
import { AgreePayment } from './agree-payment.tsx';
import { effectOfPaying } from './effect.ts';

interface WithdrawalDrawerProps extends DrawerProps<WithdrawalItem> {
  /** Why all withdrawals are frozen. */
  frozen: string | null;
}

export function WithdrawalDrawer({ frozen, ...drawer }: WithdrawalDrawerProps) {
  const { of } = drawer.item;
  const { operator } = useWho();
  const estimate = useCoinEstimate(of.network, centsOf(of.amount));
  const approvals = of.approvals.map(({ name, at }) => `${name}, ${dayOf(at)} ${timeOf(at)}`);
  const offBecause = whyOff(of, frozen, operator._id);
  const first = of.status === 'approved' ? firstPaymentThatCounts(of) : null;
  return (
    <RequestDrawer
      {...drawer}
      title={
        of.status === 'requested' ? 'Approve withdrawal' : first ? 'Agree to a payment' : 'Pay withdrawal'
      }
      facts={[
        { name: 'Amount', value: usd(of.amount) },
        { name: 'Worth now', value: estimate ?? 'No price is known' },
        { name: 'Method', value: <MethodCell name={of.methodname} coin={of.network} /> },
        {
          name: 'Address',
          value: of.addressused === 0 ? <Warning>New address</Warning> : usedText(of.addressused),
        },
        { name: 'Saved or typed', value: savedText(of.destination) },
        { name: 'First seen', value: dayOf(of.destination.firstseenat) },
        {
          name: 'Last paid to',
          value: of.destination.lastpaidat ? dayOf(of.destination.lastpaidat) : 'Never',
        },
        { name: 'Protected', value: protectedText(of.destination) },
        ...(of.tag === null ? [] : [{ name: 'Destination tag', value: of.tag }]),
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
            // A wallet that scans the address alone would send without the tag.
            scanned={of.tag === null ? null : `xrp:${of.withdrawaladdress}?dt=${of.tag}`}
            qrLabel={`QR code of the address ${of.withdrawaladdress}`}
          >
            {of.methodname} address
            {of.tag !== null && (
              <span className="text-debit">
                with the tag <Copyable what="the destination tag">{of.tag}</Copyable>
              </span>
            )}
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
      {(decision) => {
        const known = { ...decision, withdrawal: of, offBecause };
        if (of.status === 'requested') return <ApproveWithdrawal {...known} />;
        if (first) return <AgreePayment {...known} first={first} isDropping={drawer.step === 'drop'} />;
        return <PayWithdrawal {...known} />;
      }}
    </RequestDrawer>
  );
}

interface WithdrawalDecisionProps extends DecisionProps {
  withdrawal: QueuedWithdrawal;
  /** Why it cannot be done now. */
  offBecause: string | null;
}

function ApproveWithdrawal(props: WithdrawalDecisionProps) {
  const { withdrawal, offBecause, onReject, onDone, children } = props;
  const { amount, approvals, approvalsneeded, because, transactionid } = withdrawal;
  const { busy, act } = useAct(approvewithdrawal);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const isLast = approvals.length + 1 >= approvalsneeded;

  function approve() {
    return act(
      { params: { id: withdrawal._id } },
      {
        done: ({ status }) =>
          status === 'approved'
            ? `Withdrawal ${transactionid} approved`
            : `Your approval of ${transactionid} is noted. It needs a second operator.`,
        onDone,
        // By a toast, which outlives this panel: when the other operator was quicker, the panel turns to paying.
      },
    );
  }

  return (
    <>
      <DrawerBody>
        {children}
        <EffectBox
          rows={[
            { name: 'Held for it already', value: usd(amount) },
            {
              name: 'Approvals after',
              value: `${Math.min(approvals.length + 1, approvalsneeded)} of ${approvalsneeded}`,
            },
            { name: 'Then', value: isLast ? 'It waits to be paid' : 'It waits for a second operator' },
          ]}
        />
        {because && <QuietNotice>{`Two operators have to approve it. ${because}.`}</QuietNotice>}
        {offBecause && <QuietNotice>{offBecause}</QuietNotice>}
      </DrawerBody>
      <DrawerFoot refusal={null}>
        <Button look="quiet" onClick={onReject}>
          Reject
        </Button>
        <Button ref={button} look="primary" disabled={busy || offBecause !== null} onClick={approve}>
          {busy && <Spinner />}
          {busy ? 'Approving' : `Approve ${usd(amount)}`}
        </Button>
      </DrawerFoot>
    </>
  );
}

/** The payment is made elsewhere; here the operator says that it was, and under which id it can be found. */
function PayWithdrawal(props: WithdrawalDecisionProps) {
  const { withdrawal, offBecause, onReject, onDone, children } = props;
  const network = withdrawal.network as Network;
  const fields = useMemo(() => z.object(paymentFields(network)), [network]);
  const form = useActForm({
    call: paywithdrawal,
    fields,
    values: { chaintransactionid: '', chainoutput: '' },
    first: 'chaintransactionid',
  });
  const { field, handleSubmit, send, busy, refusal } = form;
  useTyping(form);
  const amount = usd(withdrawal.amount);

  const onSubmit = handleSubmit(({ chaintransactionid, chainoutput }) =>
    send(
      { params: { id: withdrawal._id }, body: { chaintransactionid, ...outputOf(chainoutput) } },
      {
        done: ({ status }) =>
          status === 'paid'
            ? `Withdrawal ${withdrawal.transactionid} marked as paid`
            : `It is noted that ${withdrawal.transactionid} was paid. It needs a second operator.`,
        onDone,
      },
    ),
  );

  return (
    <DrawerForm onSubmit={onSubmit}>
      <DrawerBody>
        {children}
        {offBecause ? (
          <QuietNotice>{offBecause}</QuietNotice>
        ) : (
          <>
            <OnTheNetwork
              network={network}
              things="withdrawals"
              hint="Send the payment first, then enter its id. One that has paid another withdrawal is refused."
              id={field('chaintransactionid')}
              output={field('chainoutput')}
            />
            {byHandText(withdrawal) && <QuietNotice>{byHandText(withdrawal)}</QuietNotice>}
            <EffectBox rows={effectOfPaying(amount)} />
          </>
        )}
      </DrawerBody>
      <DrawerFoot refusal={refusal}>
        {withdrawal.sheet === null && (
          <Button look="quiet" onClick={onReject}>
            Reject
          </Button>
        )}
        {offBecause ? (
          <Button disabled>Mark {amount} paid</Button>
        ) : (
          <SubmitButton narrow busy={busy} busyLabel="Sending">
            {`Mark ${amount} paid`}
          </SubmitButton>
        )}
      </DrawerFoot>
    </DrawerForm>
  );
}

/** Where the chain is read, it says by itself what was paid; a word of one operator is not enough there. */
function byHandText({ watched, network, sheet, firstpaid }: QueuedWithdrawal): string | null {
  const on = sheet === null ? '' : `It is on payout sheet ${sheet}. `;
  const gone = firstpaid?.departed
    ? `${firstpaid.name} had said that it was paid but is an operator no more, so that does not count. `
    : '';
  const read = watched
    ? `${networkNameOf(network)} is read here: what it shows is marked as paid by itself. What it does not show takes a second operator.`
    : '';
  return `${on}${gone}${read}`.trim() || null;
}
