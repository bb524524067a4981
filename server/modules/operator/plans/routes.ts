import type { CallAnswer } from '@tallystick/contract/call';
import { roiToWire, toWire } from '@tallystick/contract/money';
import * as calls from '@tallystick/contract/operator/plans';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../../../platform/app-error.ts';
import { serve } from '../../../platform/http/serve.ts';
import { exitToWire, type Investments, type OfferedPlan, type PlanDraft } from '../../investment/service.ts';
import { boundsToWire, proposalToWire } from '../bounds-wire.ts';
import type { ConsoleParts } from '../service.ts';
import { actorOf } from '../session/routes.ts';

const planToWire = (plan: OfferedPlan): calls.OfferedPlan => ({
  _id: plan.id,
  planname: plan.planname,
  from: toWire(plan.fromCents),
  to: toWire(plan.toCents),
  duration: plan.durationDays,
  roi: roiToWire(plan.roiPoints),
  reinvestable: plan.reinvestable,
  exit: exitToWire(plan),
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
  reinvestable: body.reinvestable,
  exitFromDay: body.exit?.fromday ?? null,
  exitKeepsPoints: body.exit?.keeps ?? null,
  exitFeePoints: body.exit?.fee ?? null,
});

export function plansRoutes(app: FastifyInstance, { investment, bounds, users }: ConsoleParts): void {
  type Offering = Awaited<ReturnType<Investments['addPlan']>>;
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
