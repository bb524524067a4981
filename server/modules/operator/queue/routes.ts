import type { Call } from '@tallystick/contract/call';
import { formatUsd } from '@tallystick/contract/money';
import { boundschanges } from '@tallystick/contract/operator/checklist';
import type { ById, Done } from '@tallystick/contract/operator/fields';
import { addresschanges } from '@tallystick/contract/operator/methods';
import { planproposals } from '@tallystick/contract/operator/plans';
import * as calls from '@tallystick/contract/operator/queue';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../../platform/audit/audit.ts';
import { operatorOf } from '../../../platform/http/identity.ts';
import { serve } from '../../../platform/http/serve.ts';
import type { ConsoleParts } from '../service.ts';
import { actorOf, pressedBy } from '../session/routes.ts';
import { queueToWire } from './wire.ts';

export function queueRoutes(app: FastifyInstance, needs: ConsoleParts): void {
  serve(app, 'operator', calls.queue, async ({ request }) =>
    queueToWire(await needs.operator.queue({ operatorId: operatorOf(request).operatorId })),
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
    await withdrawal.markWithdrawalPaid({ withdrawalId: params.id, ...payout, ...pressedBy(request) });
    return { message: 'The withdrawal is marked as paid.' };
  });

  serve(app, 'operator', calls.rejectwithdrawal, async ({ params, body, request }) => {
    const { reason } = body;
    await withdrawal.rejectWithdrawal({ withdrawalId: params.id, reason, ...pressedBy(request) });
    return { message: 'The withdrawal was rejected; the money is back in the wallet.' };
  });
}

/** What one operator asked for: another agrees, or either drops it. */
function secondOperatorRoutes(app: FastifyInstance, needs: ConsoleParts): void {
  const { ledger, funding, bounds, investment } = needs;
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
  decision(calls.corrections.confirm, postCorrection, 'The correction is posted.');
  decision(calls.corrections.discard, ledger.discardCorrection, 'The correction was dropped.');
  decision(addresschanges.confirm, funding.agreeAddress, 'Investors see the new address from now on.');
  decision(addresschanges.discard, funding.discardAddress, 'The address stays as it was.');
  decision(boundschanges.confirm, bounds.agreeBounds, 'The new bounds count from now on.');
  decision(boundschanges.discard, bounds.discardBounds, 'The bounds stay as they were.');
  decision(planproposals.confirm, investment.agreePlan, 'The plan is on the site.');
  decision(planproposals.discard, investment.discardPlan, 'The draft was dropped.');
}
