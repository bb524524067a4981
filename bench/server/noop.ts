import { defineCall } from '@tallystick/contract/call';
import { makeinvestment } from '@tallystick/contract/investment';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ownUserId } from '../../server/platform/http/identity.ts';
import { serve } from '../../server/platform/http/serve.ts';

const answer = z.object({ ok: z.boolean() });

/** What every call costs that an investor makes: the way here, the session, the schemas. It does nothing. */
export const noopPost = defineCall('POST', '/api/bench/noop', {
  summary: 'Takes what an investment takes and only looks at it',
  body: makeinvestment.body,
  answer,
  refusals: ['not_yours'],
});

export const noopGet = defineCall('GET', '/api/bench/noop', { summary: 'Answers', answer });

export async function noopRoutes(app: FastifyInstance): Promise<void> {
  serve(app, 'investor', noopPost, async ({ body, request }) => ({
    ok: ownUserId(request, body.userid) !== '',
  }));
  serve(app, 'investor', noopGet, async () => ({ ok: true }));
}
