import type { FundingRequest } from '@tallystick/contract/funding';
import type { Withdrawal } from '@tallystick/contract/withdrawal';
import { dayOf } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import type { ChipLook } from '../../ui/facts/chip.tsx';

interface RequestState {
  look: ChipLook;
  name: string;
  /** What became of it, in a sentence. */
  words: string;
}

const on = (iso: string | null) => (iso ? ` on ${dayOf(iso)}` : '');

export function fundingState(request: FundingRequest): RequestState {
  const { status, reason, received, amount, decidedat } = request;
  if (status === 'pending') return { look: 'waiting', name: 'Pending', words: 'Not in your balance yet.' };
  if (status === 'rejected') {
    return { look: 'refused', name: 'Rejected', words: reason ?? `Rejected${on(decidedat)}.` };
  }
  const differs = received !== null && received !== amount;
  const words = differs
    ? `${usd(received)} arrived and was added${on(decidedat)}.`
    : `Added to your balance${on(decidedat)}.`;
  return { look: 'done', name: 'Confirmed', words };
}

export function withdrawalState(withdrawal: Withdrawal): RequestState {
  const { status, reason, approvedat, endedat } = withdrawal;
  switch (status) {
    case 'requested':
      return { look: 'waiting', name: 'Requested', words: 'Held from your balance.' };
    case 'approved':
      return { look: 'going', name: 'Approved', words: `Approved${on(approvedat)}. It is paid next.` };
    case 'paid':
      return { look: 'done', name: 'Paid', words: `Paid${on(endedat)}.` };
    case 'rejected':
      return { look: 'refused', name: 'Rejected', words: reason ?? 'The money is back in your balance.' };
    case 'cancelled':
      return {
        look: 'refused',
        name: 'Cancelled',
        words: `Cancelled by you${on(endedat)}. The money is back.`,
      };
  }
}
