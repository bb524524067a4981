import type { CallAnswer } from '@tallystick/contract/call';
import { roiToWire, toWire } from '@tallystick/contract/money';
import * as calls from '@tallystick/contract/operator-offers';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import { serve } from '../../platform/http.ts';
import type { BoundsService } from '../bounds/service.ts';
import { type Funding, networkNameOf } from '../funding/service.ts';
import type { InvestmentService, OfferedPlan, PlanDraft } from '../investment/service.ts';
import type { Users } from '../users/service.ts';
import type { WithdrawalService } from '../withdrawal/service.ts';
import { boundsToWire, proposalToWire } from './bounds-wire.ts';
import { actorOf } from './routes.ts';

interface OffersRoutesNeeds {
  users: Users;
  bounds: BoundsService;
  investment: InvestmentService;
  funding: Funding;
  withdrawal: WithdrawalService;
}

const planToWire = (plan: OfferedPlan): calls.OfferedPlan => ({
  _id: plan.id,
  planname: plan.planname,
  from: toWire(plan.fromCents),
  to: toWire(plan.toCents),
  duration: plan.durationDays,
  roi: roiToWire(plan.roiPoints),
  version: plan.version,
  active: plan.active,
  openinvestments: plan.openCount,
  openamount: toWire(plan.openCents),
});

const draftOf = (body: z.output<typeof calls.PlanDraft>): PlanDraft => ({
  planname: body.planname,
  fromCents: body.from,
  toCents: body.to,
  durationDays: body.duration,
  roiPoints: body.roi,
});

export function operatorOffersRoutes(needs: OffersRoutesNeeds) {
  return async (app: FastifyInstance) => {
    planRoutes(app, needs);
    boundsRoutes(app, needs);
    paymentMethodRoutes(app, needs);
    withdrawalMethodRoutes(app, needs);
  };
}

function planRoutes(app: FastifyInstance, { investment, bounds, users }: OffersRoutesNeeds): void {
  type Offering = Awaited<ReturnType<InvestmentService['addPlan']>>;
  const answerOf = async (offering: Offering): Promise<CallAnswer<typeof calls.addplan>> => {
    if ('because' in offering) {
      return { plan: null, message: `It waits for a second operator: ${offering.because.join('; ')}.` };
    }
    const plan = (await investment.offeredPlans()).find(({ id }) => id === offering.planId);
    if (!plan) throw new AppError('not_found', 'There is no such plan.');
    return { plan: planToWire(plan), message: 'The plan is on the site.' };
  };

  serve(app, 'operator', calls.plans, async () => {
    const [plans, waiting, now, names] = await Promise.all([
      investment.offeredPlans(),
      investment.waitingPlans(),
      bounds.bounds(),
      users.operatorNames(),
    ]);
    return {
      plans: plans.map(planToWire),
      proposals: waiting.map((proposal) => proposalToWire(proposal, now, names)),
      bounds: boundsToWire(now),
    };
  });

  serve(app, 'operator', calls.addplan, async ({ body, request }) =>
    answerOf(await investment.addPlan({ plan: draftOf(body), actor: actorOf(request) })),
  );

  serve(app, 'operator', calls.replaceplan, async ({ params, body, request }) => {
    const plan = draftOf(body);
    return answerOf(await investment.replacePlan({ planId: params.id, plan, actor: actorOf(request) }));
  });

  serve(app, 'operator', calls.switchplan, async ({ params, body, request }) => {
    const { active } = body;
    await investment.switchPlan({ planId: params.id, active, actor: actorOf(request) });
    return { message: active ? 'The plan is on the site.' : 'The plan is off the site.' };
  });

  serve(app, 'operator', calls.orderplans, async ({ body, request }) => {
    await investment.orderPlans({ ids: body.ids, actor: actorOf(request) });
    return { message: 'The site shows them in this order.' };
  });
}

function boundsRoutes(app: FastifyInstance, { bounds }: OffersRoutesNeeds): void {
  serve(app, 'operator', calls.proposebounds, async ({ body, request }) => {
    const asked = {
      thresholdCents: body.threshold,
      planPointsPerDayMax: body.roiperday,
      planDaysMin: body.daysmin,
      planDaysMax: body.daysmax,
      planCentsMax: body.planmax,
    };
    await bounds.proposeBounds({ bounds: asked, actor: actorOf(request) });
    return { message: 'The new bounds wait for a second operator.' };
  });
}

function paymentMethodRoutes(app: FastifyInstance, { funding, users }: OffersRoutesNeeds): void {
  serve(app, 'operator', calls.paymentmethods, async () => {
    const [methods, waiting, names] = await Promise.all([
      funding.allPaymentMethods(),
      funding.waitingAddresses(),
      users.operatorNames(),
    ]);
    const coins = new Map(methods.map(({ id, coin }) => [id, coin]));
    const proposed = new Map(
      waiting.map(({ id, methodId, paymentaddress, askedBy, askedAt }) => [
        methodId,
        {
          changeid: id,
          paymentaddress,
          network: networkNameOf(coins.get(methodId) ?? ''),
          askedby: names.get(askedBy) ?? askedBy,
          askedbyid: askedBy,
          askedat: askedAt.toISOString(),
        },
      ]),
    );
    return {
      paymentmethods: methods.map(
        ({ id, paymentname, paymentaddress, network, coin, sample, active, agreed }) => ({
          ...{ _id: id, paymentname, paymentaddress, network, coin, sample, active, agreed },
          proposed: proposed.get(id) ?? null,
        }),
      ),
    };
  });

  serve(app, 'operator', calls.addpaymentmethod, async ({ body, request }) => {
    await funding.proposePaymentMethod({ method: body, actor: actorOf(request) });
    return { message: 'The new way in waits for a second operator.' };
  });

  serve(app, 'operator', calls.proposeaddress, async ({ params, body, request }) => {
    const { paymentaddress } = body;
    await funding.proposeAddress({ methodId: params.id, paymentaddress, actor: actorOf(request) });
    return { message: 'The new address waits for a second operator.' };
  });

  serve(app, 'operator', calls.switchpaymentmethod, async ({ params, body, request }) => {
    const { active } = body;
    await funding.switchPaymentMethod({ methodId: params.id, active, actor: actorOf(request) });
    return { message: active ? 'The way in is offered.' : 'The way in is offered no more.' };
  });
}

function withdrawalMethodRoutes(app: FastifyInstance, { withdrawal }: OffersRoutesNeeds): void {
  serve(app, 'operator', calls.withdrawalmethods, async () => ({
    withdrawalmethods: (await withdrawal.allWithdrawalMethods()).map(
      ({ id, methodname, network, active }) => ({
        ...{ _id: id, methodname, network, active },
      }),
    ),
  }));

  serve(app, 'operator', calls.addwithdrawalmethod, async ({ body, request }) => {
    await withdrawal.addWithdrawalMethod({ method: body, actor: actorOf(request) });
    return { message: 'The new way out is offered.' };
  });

  serve(app, 'operator', calls.switchwithdrawalmethod, async ({ params, body, request }) => {
    const { active } = body;
    await withdrawal.switchWithdrawalMethod({ methodId: params.id, active, actor: actorOf(request) });
    return { message: active ? 'The way out is offered.' : 'The way out is offered no more.' };
  });
}
