import * as calls from '@tallystick/contract/operator/checklist';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../../platform/http/serve.ts';
import { boundsChangeToWire, boundsToWire } from '../bounds-wire.ts';
import type { ConsoleParts } from '../service.ts';
import { actorOf } from '../session/routes.ts';

export function checklistRoutes(app: FastifyInstance, { operator, users, bounds }: ConsoleParts): void {
  serve(app, 'operator', calls.checklist, async () => {
    const [items, now, change, names] = await Promise.all([
      operator.checklist(),
      bounds.bounds(),
      bounds.waitingBounds(),
      users.operatorNames(),
    ]);
    const boundschange = change && boundsChangeToWire(change, now, names);
    return { items, bounds: boundsToWire(now), boundschange };
  });

  serve(app, 'operator', calls.proposebounds, async ({ body, request }) => {
    const asked = {
      thresholdCents: body.threshold,
      chainThresholdCents: body.chainthreshold,
      planPointsPerDayMax: body.roiperday,
      planDaysMin: body.daysmin,
      planDaysMax: body.daysmax,
      planCentsMax: body.planmax,
    };
    await bounds.proposeBounds({ bounds: asked, actor: actorOf(request) });
    return { message: 'The new bounds wait for a second operator.' };
  });
}
