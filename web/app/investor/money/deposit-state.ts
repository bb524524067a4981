import type { FundingRequest, SeenPayment } from '@tallystick/contract/funding';
import { dayOf } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import type { ChipLook } from '../../ui/facts/chip.tsx';

export interface DepositState {
  look: ChipLook;
  /** For a chip. */
  short: string;
  name: string;
  /** What it means, in a sentence or two. */
  words: string;
}

/** Where a deposit stands, in the words that every screen has for it. */
export function depositState(request: FundingRequest): DepositState {
  const { status, payment, watched } = request;
  if (status === 'rejected') {
    return { look: 'refused', short: 'Rejected', name: 'Rejected', words: whyRejected(request) };
  }
  if (status === 'confirmed') {
    const words = payment?.lost ? `${howAdded(request)} ${lostWords}` : howAdded(request);
    return { look: 'done', short: 'Added', name: 'Added', words };
  }
  if (payment) return seenState(payment, request);
  const words = 'Not in your balance yet.';
  // Where nothing reads the chain, the payment may well be there.
  const name = watched ? 'Waiting for your payment' : 'Waiting for confirmation';
  return { look: 'waiting', short: 'Pending', name, words };
}

function seenState(payment: SeenPayment, request: FundingRequest): DepositState {
  const { needed } = payment;
  if (request.asks) {
    const words =
      'Its network has confirmed it. An operator looks at a payment of this size before it is added.';
    return { look: 'going', short: 'Being checked', name: 'Seen, waiting for an operator', words };
  }
  const short = `Seen, ${confirmationsShown(payment)} of ${needed}`;
  const name = `${short} ${needed === 1 ? 'confirmation' : 'confirmations'}`;
  return { look: 'going', short, name, words: seenWords(payment, request) };
}

/** More than are needed add nothing while it waits for something else. */
export const confirmationsShown = ({ confirmations, needed }: SeenPayment) => Math.min(confirmations, needed);

function seenWords({ worth }: SeenPayment, { announced }: FundingRequest): string {
  if (worth === null) return 'No fresh price is known right now. It is added once there is one.';
  return announced
    ? `Worth ${usd(worth)}. It is added by itself once it is confirmed.`
    : `Worth ${usd(worth)}. It came without a request, and is added all the same once it is confirmed.`;
}

/** No fault of whoever paid, and nothing was taken from them. */
const lostWords =
  'Its network has since replaced the block it was in, and shows it in no other. Your balance stays as it is while we look into it.';

const on = (iso: string | null) => (iso ? ` on ${dayOf(iso)}` : '');

function whyRejected({ reason, decidedat }: FundingRequest): string {
  return reason ?? `Rejected${on(decidedat)}.`;
}

function howAdded({ received, amount, decidedat, announced }: FundingRequest): string {
  const differs = received !== null && received !== amount && announced;
  return differs
    ? `${usd(received)} arrived and was added${on(decidedat)}.`
    : `Added to your balance${on(decidedat)}.`;
}

/** What it is worth, as far as that is known: what was announced is no condition. */
export function depositWorth({ payment, amount, announced }: FundingRequest): string | null {
  const worth = payment ? payment.worth : announced ? amount : null;
  return worth === null ? null : usd(worth);
}
