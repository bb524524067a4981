import type { Call, CallAnswer } from '@tallystick/contract/call';
import { formatUsd, toWire } from '@tallystick/contract/money';
import { networkNameOf, networkOf, networks } from '@tallystick/contract/networks';
import { boundschanges } from '@tallystick/contract/operator/checklist';
import type { ById, Done } from '@tallystick/contract/operator/fields';
import { addresschanges } from '@tallystick/contract/operator/methods';
import { planproposals } from '@tallystick/contract/operator/plans';
import * as calls from '@tallystick/contract/operator/queue';
import { removalWaitDays } from '@tallystick/contract/removals';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../../platform/audit/audit.ts';
import { type ChainNames, explorerOf } from '../../../platform/chains/explorer.ts';
import { operatorOf } from '../../../platform/http/identity.ts';
import { serve } from '../../../platform/http/serve.ts';
import { byChain } from '../../funding/service.ts';
import { whyUnshown } from '../../withdrawal/service.ts';
import { boundsChangeToWire, proposalToWire, waitingToWire } from '../bounds-wire.ts';
import { chainPaymentToWire } from '../payment-wire.ts';
import { calledBy } from '../rules.ts';
import type { ConsoleParts } from '../service.ts';
import { actorOf, pressedBy } from '../session/routes.ts';
import type { Queue } from './queue.ts';

export function queueRoutes(app: FastifyInstance, needs: ConsoleParts): void {
  serve(app, 'operator', calls.queue, async ({ request }) =>
    queueToWire(await needs.operator.queue({ operatorId: operatorOf(request).operatorId }), needs.config),
  );
  depositRoutes(app, needs);
  withdrawalRoutes(app, needs);
  secondOperatorRoutes(app, needs);
}

function depositRoutes(app: FastifyInstance, { funding }: ConsoleParts): void {
  serve(app, 'operator', calls.confirmdeposit, async ({ params, body, request }) => {
    const { status, secondBecause } = await funding.confirmFunding({
      requestId: params.id,
      receivedCents: body.received,
      chainTxid: body.chaintransactionid,
      chainOutput: body.chainoutput ?? null,
      ...pressedBy(request),
    });
    return status === 'pending'
      ? { message: `Confirmed. A second operator has to confirm the same: ${secondBecause}.`, status }
      : { message: `${formatUsd(body.received)} is in the wallet.`, status: 'confirmed' as const };
  });

  serve(app, 'operator', calls.rejectdeposit, async ({ params, body, request }) => {
    await funding.rejectFunding({ requestId: params.id, reason: body.reason, ...pressedBy(request) });
    return { message: 'The deposit was rejected.' };
  });
}

function withdrawalRoutes(app: FastifyInstance, { withdrawal }: ConsoleParts): void {
  serve(app, 'operator', calls.approvewithdrawal, async ({ params, request }) => {
    const row = await withdrawal.approveWithdrawal({ withdrawalId: params.id, ...pressedBy(request) });
    const isFirst = row.status === 'requested';
    const message = isFirst
      ? `Approved. A second operator has to approve it, too: ${row.secondBecause}.`
      : 'Approved. It can be paid now.';
    return { message, status: isFirst ? ('requested' as const) : ('approved' as const) };
  });

  serve(app, 'operator', calls.paywithdrawal, async ({ params, body, request }) => {
    const payout = { chainTxid: body.chaintransactionid, chainOutput: body.chainoutput ?? null };
    const pressed = { withdrawalId: params.id, ...payout, ...pressedBy(request) };
    const { status, network } = await withdrawal.markWithdrawalPaid(pressed);
    return status === 'paid'
      ? { message: 'The withdrawal is marked as paid.', status }
      : {
          message: `Noted. A second operator has to say the same: ${whyUnshown(network)}.`,
          status: 'approved' as const,
        };
  });

  serve(app, 'operator', calls.rejectwithdrawal, async ({ params, body, request }) => {
    const { reason } = body;
    await withdrawal.rejectWithdrawal({ withdrawalId: params.id, reason, ...pressedBy(request) });
    return { message: 'The withdrawal was rejected; the money is back in the wallet.' };
  });
}

/** What one operator asked for: another agrees, or either drops it. */
function secondOperatorRoutes(app: FastifyInstance, needs: ConsoleParts): void {
  const { ledger, users, funding, withdrawal, bounds, investment } = needs;
  const decision = (
    call: Call & { params: typeof ById; answer: typeof Done },
    decide: (pressed: { id: string; actor: Actor }, request: FastifyRequest) => Promise<unknown>,
    message: string,
  ) =>
    serve(app, 'operator', call, async ({ params, request }) => {
      await decide({ id: params.id, actor: actorOf(request) }, request);
      return { message };
    });
  const postCorrection = ({ id }: { id: string }, request: FastifyRequest) =>
    ledger.confirmCorrection({ correctionId: id, ...pressedBy(request) });
  decision(calls.dropconfirmation, funding.dropConfirmation, 'The first confirmation was dropped.');
  decision(calls.droppayment, withdrawal.dropPayment, 'It waits to be paid again.');
  decision(calls.corrections.confirm, postCorrection, 'The correction is posted.');
  decision(calls.corrections.discard, ledger.discardCorrection, 'The correction was dropped.');
  decision(
    calls.factorremovals.confirm,
    users.agreeToRemoval,
    `The investor is told, and has ${removalWaitDays} days.`,
  );
  decision(calls.factorremovals.discard, users.discardRemoval, 'The second factors stay.');
  decision(addresschanges.confirm, funding.agreeAddress, 'Investors see the new address from now on.');
  decision(addresschanges.discard, funding.discardAddress, 'The address stays as it was.');
  decision(boundschanges.confirm, bounds.agreeBounds, 'The new bounds count from now on.');
  decision(boundschanges.discard, bounds.discardBounds, 'The bounds stay as they were.');
  decision(planproposals.confirm, investment.agreePlan, 'The plan is on the site.');
  decision(planproposals.discard, investment.discardPlan, 'The draft was dropped.');
}

type Answer = CallAnswer<typeof calls.queue>;

const personToWire = ({ userId, fullname, email }: { userId: string; fullname: string; email: string }) => ({
  _id: userId,
  fullname: calledBy({ fullname, email }),
  email,
});

function firstToWire(row: Queue['deposits'][number], names: Map<string, string>, chains: ChainNames) {
  const network = networkOf(row.coin);
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
    explorer: network && !row.sample ? explorerOf(network, chainTxid, chains) : null,
    because: row.secondBecause ?? '',
    departed: row.isFirstDeparted,
  };
}

function paymentToWire(
  { payment, confirmations: asked, sample }: Queue['deposits'][number],
  chains: ChainNames,
): Answer['deposits'][number]['payment'] {
  if (!payment) return null;
  const shown = chainPaymentToWire(payment, chains);
  const needed = asked ?? networks[payment.network].confirmations;
  return { ...shown, explorer: sample ? null : shown.explorer, needed };
}

function depositToWire(
  row: Queue['deposits'][number],
  names: Map<string, string>,
  chains: ChainNames,
): Answer['deposits'][number] {
  return {
    _id: row.id,
    transactionid: row.transactionid,
    investor: personToWire(row),
    fundingtype: row.paymentname,
    coin: row.coin,
    network: row.network,
    sample: row.sample,
    announced: row.announced,
    chain: networkOf(row.coin),
    watched: row.isWatched,
    payment: paymentToWire(row, chains),
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
    first: firstToWire(row, names, chains),
  };
}

function firstPaidToWire(row: Queue['withdrawals'][number], names: Map<string, string>) {
  const { firstPaidBy: by, firstPaidAt: at, chainTxid } = row;
  if (!by || !at || chainTxid === null) return null;
  return {
    operator: by,
    name: names.get(by) ?? by,
    at: at.toISOString(),
    chaintransactionid: chainTxid,
    chainoutput: row.chainOutput,
    departed: row.isFirstDeparted,
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
    destination: {
      savedas: row.savedAs,
      savedat: row.savedAt?.toISOString() ?? null,
      firstseenat: row.firstSeenAt.toISOString(),
      lastpaidat: row.lastPaidAt?.toISOString() ?? null,
      protected: row.isProtected,
    },
    approvals: [
      ...approval(row.firstApprovedBy, row.firstApprovedAt),
      ...approval(row.approvedBy, row.approvedAt),
    ],
    approvalsneeded: row.approvalsNeeded,
    because: row.secondBecause,
    frozen: row.frozenBecause,
    tag: row.tag === null ? null : String(row.tag),
    watched: row.isWatched,
    sheet: row.sheet,
    firstpaid: firstPaidToWire(row, names),
  };
}

function queueToWire(queue: Queue, chains: ChainNames): Answer {
  const { names, bounds, boundsChange, coverage } = queue;
  const sum = (kind: keyof Answer['sums']) => {
    const found = queue.sums.get(kind);
    return { count: Number(found?.count ?? 0n), amount: toWire(found?.cents ?? 0n) };
  };
  return {
    deposits: queue.deposits.map((row) => depositToWire(row, names, chains)),
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
    factorremovals: queue.removals.map((row) => ({
      ...waitingToWire(row, names),
      investor: personToWire(row.person),
      reason: row.reason,
    })),
    boundschanges: boundsChange ? [boundsChangeToWire(boundsChange, bounds, names)] : [],
    planproposals: queue.planProposals.map((row) => proposalToWire(row, bounds, names)),
    threshold: toWire(bounds.thresholdCents),
    chainthreshold: toWire(bounds.chainThresholdCents),
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
      typed: coverage.typedCents === null ? null : toWire(coverage.typedCents),
    },
    frozen: queue.frozenBecause,
  };
}
