import type { LetterTo } from '../users/service.ts';
import type { FundingRow, PayableRow } from './store.ts';

/** What the investor is told about where the request stands. Only one that is still to be paid needs a network. */
export function letterAbout(request: FundingRow | PayableRow, now: Date): LetterTo {
  const { userId, status, amountCents, paymentname, paymentaddress, transactionid } = request;
  const network = 'methodNetwork' in request ? { network: request.methodNetwork } : {};
  return {
    userId,
    letter: (fullname) => {
      const common = {
        fullname,
        amountCents: String(amountCents),
        paymentname,
        transactionid,
        at: now.toISOString(),
      };
      const { receivedCents, chainTxid, reason } = request;
      if (status === 'pending') return { kind: 'deposit-requested', ...common, ...network, paymentaddress };
      if (status === 'rejected') return { kind: 'deposit-rejected', ...common, reason: reason ?? '' };
      const received = { receivedCents: String(receivedCents ?? 0n), ...(chainTxid && { chainTxid }) };
      return { kind: 'deposit-confirmed', ...common, ...received };
    },
  };
}
