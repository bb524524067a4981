import { demoInvestor as demoInvestorCall } from '@tallystick/contract/demo';
import type { FastifyInstance } from 'fastify';
import { serve } from '../platform/http.ts';
import type { Inbox } from './inbox.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { demoInvestor } from './investor.ts';

/** Registered in demo mode alone. */
export function demoRoutes(inbox: Inbox | null) {
  return async (app: FastifyInstance) => {
    serve(app, 'public', demoInvestorCall, async () => ({
      email: demoInvestor.email,
      password: demoInvestor.password,
    }));
    if (inbox) await app.register(inboxRoutes(inbox));
  };
}
