import type { CallAnswer } from '@tallystick/contract/call';
import { toWire } from '@tallystick/contract/money';
import type * as calls from '@tallystick/contract/operator';
import { networkNameOf } from '../funding/service.ts';
import type { Queue } from './service.ts';

type Answer = CallAnswer<typeof calls.queue>;

const personToWire = ({ userId, fullname, email }: { userId: string; fullname: string; email: string }) => ({
  _id: userId,
  // Whoever has no name yet is known by the address.
  fullname: fullname || email,
  email,
});

function depositToWire(row: Queue['deposits'][number]): Answer['deposits'][number] {
  return {
    _id: row.id,
    transactionid: row.transactionid,
    investor: personToWire(row),
    fundingtype: row.paymentname,
    coin: row.coin,
    network: row.network,
    paymentaddress: row.paymentaddress,
    amount: toWire(row.amountCents),
    coinamount: row.coinAmount,
    requestedat: row.requestedAt.toISOString(),
    available: toWire(row.walletCents),
    confirmedbefore: Number(row.confirmedBefore),
    rejectedbefore: Number(row.rejectedBefore),
    largestbefore: row.largestCents === null ? null : toWire(row.largestCents),
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
    frozen: row.frozenBecause,
  };
}

export function queueToWire(queue: Queue): Answer {
  const { names, thresholdChange, coverage } = queue;
  const waiting = (row: { id: string; askedBy: string; askedAt: Date }) => ({
    _id: row.id,
    askedby: names.get(row.askedBy) ?? row.askedBy,
    askedbyid: row.askedBy,
    askedat: row.askedAt.toISOString(),
  });
  const sum = (kind: 'deposits' | 'requested' | 'approved' | 'needingtwo') => {
    const found = queue.sums.get(kind);
    return { count: Number(found?.count ?? 0n), amount: toWire(found?.cents ?? 0n) };
  };
  return {
    deposits: queue.deposits.map(depositToWire),
    withdrawals: queue.withdrawals.map((row) => withdrawalToWire(row, names)),
    addresschanges: queue.addresses.map((row) => ({
      ...waiting(row),
      methodid: row.methodId,
      paymentname: row.method.paymentname,
      network: networkNameOf(row.method.coin),
      from: row.method.agreed ? row.method.paymentaddress : null,
      to: row.paymentaddress,
    })),
    corrections: queue.corrections.map((row) => ({
      ...waiting(row),
      investor: personToWire(row.person),
      amount: toWire(row.amountCents),
      reason: row.reason,
    })),
    thresholdchanges: thresholdChange
      ? [
          {
            ...waiting(thresholdChange),
            from: toWire(queue.threshold),
            to: toWire(thresholdChange.amountCents),
          },
        ]
      : [],
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
