import type { Tx } from '../../platform/postgres/db.ts';
import type { JournalMovement } from '../ledger/service.ts';
import type { LetterAbout, LetterTo } from '../users/service.ts';
import { type FundingRow, type PayableRow, requestsNamed } from './store.ts';

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

/** A deposit bears the id of the request that announced it. */
export async function lettersAbout(tx: Tx, movements: JournalMovement[]): Promise<LetterAbout[]> {
  const ours = movements.filter(({ kind }) => kind === 'deposit');
  const requests = await requestsNamed(
    tx,
    ours.map(({ transactionid }) => transactionid),
  );
  const named = new Map(requests.map((request) => [request.transactionid, request]));
  return ours.flatMap(({ number, transactionid, at }) => {
    const request = named.get(transactionid);
    return request ? [{ ...letterAbout(request, at), number }] : [];
  });
}
