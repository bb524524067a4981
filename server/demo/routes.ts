import {
  demoInvestor as demoInvestorCall,
  demoOperators as demoOperatorsCall,
} from '@tallystick/contract/demo';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { serve } from '../platform/http/serve.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { demoInvestor } from './investor.ts';
import { demoOperators } from './operators.ts';

/** Registered in demo mode alone. */
export function demoRoutes({ inbox, clock }: Pick<Context, 'inbox' | 'clock'>) {
  const operators = demoOperators({ clock });
  return async (app: FastifyInstance) => {
    serve(app, 'public', demoInvestorCall, async () => ({
      email: demoInvestor.email,
      password: demoInvestor.password,
    }));
    serve(app, 'public', demoOperatorsCall, async () => ({ operators: operators() }));
    if (inbox) await app.register(inboxRoutes(inbox));
  };
}
