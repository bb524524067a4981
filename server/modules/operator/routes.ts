import { formatUsd } from '@tallystick/contract/money';
import * as calls from '@tallystick/contract/operator';
import { planproposals } from '@tallystick/contract/operator-offers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import type { Actor } from '../../platform/audit.ts';
import { secretCookie } from '../../platform/cookies.ts';
import { clientOf, serve } from '../../platform/http.ts';
import { idempotencyKeyOf } from '../../platform/idempotency.ts';
import { type OperatorIdentity, operatorOf } from '../../platform/identity.ts';
import type { BoundsService } from '../bounds/service.ts';
import type { Funding } from '../funding/service.ts';
import type { InvestmentService } from '../investment/service.ts';
import type { Ledger } from '../ledger/service.ts';
import { deviceAgeSecondsMax, type Users } from '../users/service.ts';
import type { WithdrawalService } from '../withdrawal/service.ts';
import { queueToWire } from './queue-wire.ts';
import { mentionsId, type OperatorService, withNames } from './service.ts';

interface SessionRoutesNeeds {
  users: Users;
  siteUrl: string;
}

const cookieName = 'operator-session';
const operatorToWire = ({ id, name, email }: { id: string; name: string; email: string }) => ({
  _id: id,
  name,
  email,
});

export function actorOf(request: FastifyRequest): Actor {
  return { kind: 'operator', id: operatorOf(request).operatorId, address: request.clientAddress };
}

/** The operator scope's guard. Only its own cookie opens it: a bearer token is an investor's and is not looked at. */
export function operatorGuard({ users, siteUrl }: SessionRoutesNeeds) {
  const cookie = secretCookie(cookieName, siteUrl);
  return async (request: FastifyRequest) => {
    request.operator = await users.authenticateOperator({
      cookie: cookie.read(request),
      background: request.headers['x-background-read'] !== undefined,
    });
  };
}

/** Modules know operators by their ids; whoever reads a refusal knows them by name. */
export function nameOperators(users: Users) {
  return async (_request: unknown, _reply: unknown, error: Error) => {
    if (!(error instanceof AppError) || !mentionsId(error.message)) return;
    error.message = withNames(error.message, await users.operatorNames());
  };
}

export function operatorPublicRoutes({ users, siteUrl }: SessionRoutesNeeds) {
  const cookie = secretCookie(cookieName, siteUrl);
  const deviceCookie = secretCookie('operator-device', siteUrl, { ageSecondsMax: deviceAgeSecondsMax });
  return async (app: FastifyInstance) => {
    serve(app, 'public', calls.signin, async ({ body, request, reply }) => {
      const { recoverycode: recoveryCode, ...credentials } = body;
      const { email, password, code } = credentials;
      const by = { client: clientOf(request), deviceSecret: deviceCookie.read(request) };
      const answer = await users.signInOperator({ email, password, code, recoveryCode, ...by });
      if ('enrolment' in answer) return { operator: null, enrolment: answer.enrolment };
      cookie.write(reply, answer.begun.cookie);
      deviceCookie.write(reply, answer.begun.deviceSecret);
      return { operator: operatorToWire(answer.begun.operator), enrolment: null };
    });

    serve(app, 'public', calls.enrol, async ({ body, request, reply }) => {
      const by = { client: clientOf(request), deviceSecret: deviceCookie.read(request) };
      const { begun, recoveryCodes } = await users.enrolOperator({ ...body, ...by });
      cookie.write(reply, begun.cookie);
      deviceCookie.write(reply, begun.deviceSecret);
      return { operator: operatorToWire(begun.operator), recoverycodes: recoveryCodes };
    });
  };
}

export function operatorSessionRoutes({ users, siteUrl }: SessionRoutesNeeds) {
  const cookie = secretCookie(cookieName, siteUrl);
  return async (app: FastifyInstance) => {
    serve(app, 'operator', calls.signout, async ({ request, reply }) => {
      const { operatorId, sessionId }: OperatorIdentity = operatorOf(request);
      await users.signOutOperator({ operatorId, sessionId, clientAddress: request.clientAddress });
      cookie.clear(reply);
      return { message: 'You are signed out.' };
    });

    serve(app, 'operator', calls.me, async ({ request }) => {
      const { operatorId, name, email, expiresAt } = operatorOf(request);
      return {
        operator: operatorToWire({ id: operatorId, name, email }),
        recoverycodesleft: await users.recoveryCodesLeft({ operatorId }),
        expiresat: expiresAt.toISOString(),
      };
    });
  };
}

interface QueueRoutesNeeds {
  operator: OperatorService;
  bounds: BoundsService;
  funding: Funding;
  investment: InvestmentService;
  withdrawal: WithdrawalService;
  ledger: Ledger;
}

export function operatorQueueRoutes(needs: QueueRoutesNeeds) {
  const { operator } = needs;
  return async (app: FastifyInstance) => {
    serve(app, 'operator', calls.queue, async ({ request }) =>
      queueToWire(await operator.queue({ operatorId: operatorOf(request).operatorId })),
    );
    depositRoutes(app, needs);
    withdrawalRoutes(app, needs);
    secondOperatorRoutes(app, needs);
  };
}

/** Who presses, and under which key. */
const pressedBy = (request: FastifyRequest) => ({
  actor: actorOf(request),
  idempotencyKey: idempotencyKeyOf(request),
});

function depositRoutes(app: FastifyInstance, { funding }: QueueRoutesNeeds): void {
  serve(app, 'operator', calls.confirmdeposit, async ({ params, body, request }) => {
    const { status, secondBecause } = await funding.confirmFunding({
      requestId: params.id.toLowerCase(),
      receivedCents: body.received,
      chainTxid: body.chaintransactionid,
      chainOutput: body.chainoutput ?? null,
      ...pressedBy(request),
    });
    return status === 'pending'
      ? { message: `Confirmed. A second operator has to confirm the same: ${secondBecause}.`, status }
      : { message: `${formatUsd(body.received)} is in the wallet.`, status: 'confirmed' as const };
  });

  serve(app, 'operator', calls.dropconfirmation, async ({ params, request }) => {
    await funding.dropConfirmation({ requestId: params.id, actor: actorOf(request) });
    return { message: 'The first confirmation was dropped.' };
  });

  serve(app, 'operator', calls.rejectdeposit, async ({ params, body, request }) => {
    const requestId = params.id.toLowerCase();
    await funding.rejectFunding({ requestId, reason: body.reason, ...pressedBy(request) });
    return { message: 'The deposit was rejected.' };
  });
}

function withdrawalRoutes(app: FastifyInstance, { withdrawal }: QueueRoutesNeeds): void {
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
function secondOperatorRoutes(app: FastifyInstance, needs: QueueRoutesNeeds): void {
  const { ledger, funding, bounds, investment } = needs;
  serve(app, 'operator', calls.proposecorrection, async ({ params, body, request }) => {
    const { direction, amount, reason } = body;
    const amountCents = direction === 'add' ? amount : -amount;
    const userId = params.id.toLowerCase();
    await ledger.proposeCorrection({ userId, amountCents, reason, ...pressedBy(request) });
    return { message: 'The correction waits for a second operator.' };
  });

  const decisions = [
    {
      call: calls.corrections.confirm,
      message: 'The correction is posted.',
      decide: (id: string, request: FastifyRequest) =>
        ledger.confirmCorrection({ correctionId: id, ...pressedBy(request) }),
    },
    {
      call: calls.corrections.discard,
      message: 'The correction was dropped.',
      decide: (id: string, request: FastifyRequest) =>
        ledger.discardCorrection({ correctionId: id, actor: actorOf(request) }),
    },
    {
      call: calls.addresschanges.confirm,
      message: 'Investors see the new address from now on.',
      decide: (id: string, request: FastifyRequest) =>
        funding.agreeAddress({ changeId: id, actor: actorOf(request) }),
    },
    {
      call: calls.addresschanges.discard,
      message: 'The address stays as it was.',
      decide: (id: string, request: FastifyRequest) =>
        funding.discardAddress({ changeId: id, actor: actorOf(request) }),
    },
    {
      call: calls.boundschanges.confirm,
      message: 'The new bounds count from now on.',
      decide: (id: string, request: FastifyRequest) =>
        bounds.agreeBounds({ boundsId: id, actor: actorOf(request) }),
    },
    {
      call: calls.boundschanges.discard,
      message: 'The bounds stay as they were.',
      decide: (id: string, request: FastifyRequest) =>
        bounds.discardBounds({ boundsId: id, actor: actorOf(request) }),
    },
    {
      call: planproposals.confirm,
      message: 'The plan is on the site.',
      decide: (id: string, request: FastifyRequest) =>
        investment.agreePlan({ proposalId: id, actor: actorOf(request) }),
    },
    {
      call: planproposals.discard,
      message: 'The draft was dropped.',
      decide: (id: string, request: FastifyRequest) =>
        investment.discardPlan({ proposalId: id, actor: actorOf(request) }),
    },
  ];
  for (const { call, message, decide } of decisions) {
    serve(app, 'operator', call, async ({ params, request }) => {
      await decide(params.id.toLowerCase(), request);
      return { message };
    });
  }
}
