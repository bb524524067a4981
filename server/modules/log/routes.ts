import * as calls from '@tallystick/contract/proof';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendNotFound } from '../../platform/http/refusals.ts';
import { serve } from '../../platform/http/serve.ts';
import type { PublicLog } from './service.ts';

/** For anyone's page and program: the log is there to be checked by others. */
const forAll = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
const forSeconds = 'public, max-age=2';
const forGood = 'public, max-age=31536000, immutable';
const text = 'text/plain; charset=utf-8';

function sendKept(reply: FastifyReply, found: string | Buffer | null, type: string, howLong: string) {
  reply.headers(forAll);
  if (found === null) return sendNotFound(reply);
  return reply.type(type).header('cache-control', howLong).send(found);
}

export const logRoutes = (log: PublicLog) => async (app: FastifyInstance) => {
  app.get('/log/checkpoint', async (_request, reply) =>
    sendKept(reply, await log.checkpoint(), text, forSeconds),
  );
  app.get('/log/vkey', async (_request, reply) => sendKept(reply, `${log.vkey}\n`, text, forSeconds));
  app.get<{ Params: { '*': string } }>('/log/tile/*', async ({ raw, readDb: on }, reply) => {
    // As it was sent: what was decoded could have been spelled in another way.
    const path = (raw.url ?? '').slice('/log/tile/'.length);
    return sendKept(reply, await log.tile({ path, on }), 'application/octet-stream', forGood);
  });

  serve(app, 'public', calls.entries, ({ query: { kind, before, limit }, request }) =>
    log.entries({ kind, before, limit, on: request.readDb }),
  );
  serve(app, 'public', calls.state, async () => {
    const { signedAt, witnesses, ...state } = await log.state();
    return {
      ...state,
      signedat: signedAt?.toISOString() ?? null,
      witnesses: witnesses.map(({ at, ...witness }) => ({ ...witness, at: at?.toISOString() ?? null })),
    };
  });
};
