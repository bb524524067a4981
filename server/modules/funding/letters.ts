import { networks } from '@tallystick/contract/networks';
import { unitsToDecimal } from '../../platform/chains/units.ts';
import type { Tx } from '../../platform/postgres/db.ts';
import type { JournalMovement } from '../ledger/service.ts';
import type { PaymentRow } from '../networks/service.ts';
import type { LetterAbout, LetterTo } from '../users/service.ts';
import { type FundingRow, type PayableRow, requestsNamed } from './store.ts';

/** That the payment of a request is on its chain; it is told again when it is added. */
export function letterAboutSeen(
  { userId, paymentname, transactionid }: FundingRow,
  payment: PaymentRow,
  { network, needed, now }: { network: string; needed: number; now: Date },
): LetterTo {
  const { coin } = networks[payment.network];
  return {
    userId,
    letter: (fullname) => ({
      kind: 'deposit-seen',
      fullname,
      amountCents: String(payment.cents ?? 0n),
      paymentname,
      transactionid,
      at: now.toISOString(),
      network,
      coins: `${unitsToDecimal(payment.units, coin.decimals)} ${coin.ticker}`,
      needed,
      chainTxid: payment.txid,
    }),
  };
}

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
      if (status === 'pending') {
        const tag = request.tag === null ? {} : { tag: String(request.tag) };
        return { kind: 'deposit-requested', ...common, ...network, paymentaddress, ...tag };
      }
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
