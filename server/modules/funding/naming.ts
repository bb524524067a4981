import { hasOutputs, isSameOutput, outputRefusal, spelledTxid, txidForm } from '@tallystick/contract/chain';
import { fundingCentsMax } from '@tallystick/contract/funding';
import { type Cents, formatUsd } from '@tallystick/contract/money';
import { type Network, networks } from '@tallystick/contract/networks';
import { type Refusal, refuse, who } from '../../platform/app-error.ts';
import { refuseTwice } from '../../platform/second-operator.ts';
import type { Claim, PaymentRow } from '../networks/service.ts';
import { byChain } from './decided.ts';
import type { FundingRow } from './store.ts';

/** A payment on the chain, as an operator entered it. */
export interface NamedPayment {
  receivedCents: Cents;
  network: Network;
  chainTxid: string;
  chainOutput: number | null;
}

/** What is known of the payments that are named. */
export interface NamedFacts {
  /** Payments that have their use already, by their id on the chain. */
  claims: Map<string, Claim[]>;
  /** What the chains show of them. */
  seen: Map<string, PaymentRow[]>;
  /** Addresses that are no one investor's. */
  ownerless: Set<bigint>;
  /** Networks whose chains are read. */
  watched: Set<Network>;
}

/** What was typed, as the payment that it names. What a chain has shown may be more than anybody may announce. */
export function paymentOf(
  command: { receivedCents: Cents; chainTxid: string; chainOutput: number | null },
  network: Network | null,
  { firstConfirmedBy, receivedCents: shownCents }: FundingRow,
): NamedPayment | Refusal {
  const { receivedCents, chainOutput } = command;
  if (!network) return refuse('outside_range', 'The network of this way in is not known.');
  const chainTxid = spelledTxid(network, command.chainTxid);
  if (!chainTxid) return refuse('outside_range', txidForm(network));
  if (chainOutput !== null && !hasOutputs(network)) {
    return refuse('outside_range', outputRefusal);
  }
  const isShown = firstConfirmedBy === byChain && receivedCents === shownCents;
  if (receivedCents <= 0n || (receivedCents > fundingCentsMax && !isShown)) {
    return refuse('outside_range', `One deposit is at most ${formatUsd(fundingCentsMax)}.`);
  }
  return { receivedCents, network, chainTxid, chainOutput };
}

/** One payment is one deposit; who names it again is told for which request it was named before. */
export function refuseClaimed(
  { claims }: NamedFacts,
  request: FundingRow,
  payment: NamedPayment,
): Refusal | null {
  const named = (claims.get(payment.chainTxid) ?? []).filter(
    ({ transactionid }) => transactionid !== request.transactionid,
  );
  const withdrawal = named.find(({ use }) => use === 'payout');
  if (withdrawal) {
    return refuse('already_decided', `This transaction has paid a withdrawal, ${withdrawal.transactionid}.`);
  }
  const same = named.find(({ output }) => isSameOutput(output, payment.chainOutput));
  if (!same) return null;
  const text = same.final
    ? `This payment was credited before, for ${same.transactionid}.`
    : `This payment waits for a second operator already, for ${same.transactionid}.`;
  return refuse('already_decided', text);
}

/** The second agrees to exactly what the first has entered. */
export function refuseSecond(request: FundingRow, payment: NamedPayment, by: string): Refusal | null {
  const { firstConfirmedBy, receivedCents, chainTxid, chainOutput } = request;
  const twice = refuseTwice(firstConfirmedBy, by, 'confirmed');
  if (firstConfirmedBy === null || twice) return twice;
  const isSame =
    receivedCents === payment.receivedCents &&
    chainTxid === payment.chainTxid &&
    chainOutput === payment.chainOutput;
  if (isSame) return null;
  const output = chainOutput === null ? '' : `, output ${chainOutput}`;
  return refuse(
    'already_decided',
    `${who} confirmed ${formatUsd(receivedCents ?? 0n)} with the transaction id ${chainTxid}${output}. ` +
      'Confirm exactly that, or drop the first confirmation.',
    { by: firstConfirmedBy },
  );
}

/** What the chain shows of a payment that somebody named: without an output that may be several. */
const allSeenAs = ({ seen }: NamedFacts, { network, chainTxid, chainOutput }: NamedPayment): PaymentRow[] =>
  (seen.get(chainTxid) ?? []).filter(
    (each) => each.network === network && isSameOutput(each.output, chainOutput) && each.state !== 'vanished',
  );

export const seenAs = (facts: NamedFacts, payment: NamedPayment): PaymentRow | undefined =>
  allSeenAs(facts, payment).find(({ state }) => state === 'seen');

/**
 * What a chain shows is credited by itself, to whoever's address it was sent to. By hand only what is nobody's, as much as
 * it is worth; or, as the second of two, exactly what the chain has confirmed first.
 */
export function refuseSeen(facts: NamedFacts, request: FundingRow, payment: NamedPayment): Refusal | null {
  if (request.firstConfirmedBy === byChain) return null;
  const { name } = networks[payment.network];
  const shown = refuse(
    'already_decided',
    `${name} shows this payment. It is credited by itself once it is confirmed.`,
  );
  if (request.paymentId) return shown;
  for (const seen of allSeenAs(facts, payment)) {
    if (seen.state === 'ours') return refuse('already_decided', 'This is our own money, paid to ourselves.');
    if (seen.state === 'dust') continue;
    if (!facts.ownerless.has(seen.addressId)) return shown;
    if (seen.cents === null) return refuse('outside_range', `${name} shows it, and waits for a price.`);
    if (payment.receivedCents !== seen.cents) {
      return refuse('outside_range', `${name} shows ${formatUsd(seen.cents)}. Confirm exactly that.`);
    }
  }
  return null;
}

/** Where a chain is read, what it does not show, or does not say the owner of, is two people's word. */
export function whyUnseen(facts: NamedFacts, payment: NamedPayment): string | null {
  if (!facts.watched.has(payment.network)) return null;
  const { name } = networks[payment.network];
  return seenAs(facts, payment)
    ? `${name} does not say whose payment it is`
    : `${name} does not show this payment`;
}
