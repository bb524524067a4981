import { stopremoval } from '@tallystick/contract/removals';
import type { FastifyInstance } from 'fastify';
import { clientOf, serve } from '../../../platform/http/serve.ts';
import type { Users } from '../service.ts';

/** Who stops it need not be signed in, and mostly cannot be. */
export function removalPublicRoutes(app: FastifyInstance, users: Users): void {
  serve(app, 'public', stopremoval, async ({ body: { token }, request }) => {
    await users.stopRemoval({ token, client: clientOf(request) });
    return { message: 'It is stopped. Your second factors stay as they are.' };
  });
}
