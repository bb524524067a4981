import type { CallAnswer } from '@tallystick/contract/call';
import { toWire } from '@tallystick/contract/money';
import { networkNameOf, networkOf, networks } from '@tallystick/contract/networks';
import type * as calls from '@tallystick/contract/operator/queue';
import { byChain } from '../../funding/service.ts';
import { boundsChangeToWire, proposalToWire, waitingToWire } from '../bounds-wire.ts';
import { chainPaymentToWire } from '../payment-wire.ts';
import type { Queue } from './queue.ts';

type Answer = CallAnswer<typeof calls.queue>;

const personToWire = ({ userId, fullname, email }: { userId: string; fullname: string; email: string }) => ({
  _id: userId,
  // Whoever has no name yet is known by the address.
  fullname: fullname || email,
  email,
});

function firstToWire(row: Queue['deposits'][number], names: Map<string, string>) {
  const { firstConfirmedBy: by, firstConfirmedAt: at, receivedCents, chainTxid } = row;
  if (!by || !at || receivedCents === null || chainTxid === null) return null;
  return {
    operator: by,
    name: by === byChain ? networkNameOf(row.coin) : (names.get(by) ?? by),
    bychain: by === byChain,
    at: at.toISOString(),
    received: toWire(receivedCents),
    chaintransactionid: chainTxid,
    chainoutput: row.chainOutput,
    because: row.secondBecause ?? '',
    departed: row.isFirstDeparted,
  };
}

function paymentToWire({
  payment,
  confirmations: asked,
}: Queue['deposits'][number]): Answer['deposits'][number]['payment'] {
  if (!payment) return null;
  return { ...chainPaymentToWire(payment), needed: asked ?? networks[payment.network].confirmations };
}

function depositToWire(
  row: Queue['deposits'][number],
  names: Map<string, string>,
): Answer['deposits'][number] {
  return {
    _id: row.id,
    transactionid: row.transactionid,
    investor: personToWire(row),
    fundingtype: row.paymentname,
    coin: row.coin,
    network: row.network,
    chain: networkOf(row.coin),
    watched: row.isWatched,
    payment: paymentToWire(row),
    paymentaddress: row.paymentaddress,
    tag: row.tag === null ? null : String(row.tag),
    amount: toWire(row.amountCents),
    coinamount: row.coinAmount,
    requestedat: row.requestedAt.toISOString(),
    available: toWire(row.walletCents),
    confirmedbefore: Number(row.confirmedBefore),
    rejectedbefore: Number(row.rejectedBefore),
    largestbefore: row.largestCents === null ? null : toWire(row.largestCents),
    confirmedtoday: toWire(row.confirmedTodayCents),
    first: firstToWire(row, names),
  };
}

function withdrawalToWire(
  row: Queue['withdrawals'][number],
  names: Map<string, string>,
): Answer['withdrawals'][number] {
  const approval = (by: string | null, at: Date | null) =>
    by && at ? [{ operator: by, name: names.get(by) ?? by, at: at.toISOString() }] : [];
  return {
    _id: row.id,
    transactionid: row.transactionid,
    investor: personToWire(row),
    methodname: row.methodname,
    network: row.network,
    withdrawaladdress: row.address,
    amount: toWire(row.amountCents),
    status: row.status,
    requestedat: row.requestedAt.toISOString(),
    available: toWire(row.walletCents),
    addressused: Number(row.addressUsed),
    approvals: [
      ...approval(row.firstApprovedBy, row.firstApprovedAt),
      ...approval(row.approvedBy, row.approvedAt),
    ],
    approvalsneeded: row.approvalsNeeded,
    because: row.secondBecause,
    frozen: row.frozenBecause,
  };
}

export function queueToWire(queue: Queue): Answer {
  const { names, bounds, boundsChange, coverage } = queue;
  const sum = (kind: keyof Answer['sums']) => {
    const found = queue.sums.get(kind);
    return { count: Number(found?.count ?? 0n), amount: toWire(found?.cents ?? 0n) };
  };
  return {
    deposits: queue.deposits.map((row) => depositToWire(row, names)),
    withdrawals: queue.withdrawals.map((row) => withdrawalToWire(row, names)),
    addresschanges: queue.addresses.map((row) => ({
      ...waitingToWire(row, names),
      methodid: row.methodId,
      paymentname: row.method.paymentname,
      network: networkNameOf(row.method.coin),
      from: row.method.agreed ? row.method.paymentaddress : null,
      frompath: row.method.agreed ? row.pathNow : null,
      to: row.paymentaddress,
      source: row.source,
      key: row.key,
      path: row.path,
      firstaddresses: row.firstAddresses,
    })),
    corrections: queue.corrections.map((row) => ({
      ...waitingToWire(row, names),
      investor: personToWire(row.person),
      amount: toWire(row.amountCents),
      reason: row.reason,
    })),
    boundschanges: boundsChange ? [boundsChangeToWire(boundsChange, bounds, names)] : [],
    planproposals: queue.planProposals.map((row) => proposalToWire(row, bounds, names)),
    threshold: toWire(bounds.thresholdCents),
    confirmedalone: toWire(queue.confirmedAloneCents),
    sums: {
      deposits: sum('deposits'),
      requested: sum('requested'),
      approved: sum('approved'),
      needingtwo: sum('needingtwo'),
    },
    coverage: {
      owed: toWire(coverage.owedCents),
      held: coverage.heldCents === null ? null : toWire(coverage.heldCents),
    },
    frozen: queue.frozenBecause,
  };
}
