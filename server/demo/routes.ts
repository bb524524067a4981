import { join } from 'node:path';
import {
  demoInvestor as demoInvestorCall,
  demoOperators as demoOperatorsCall,
} from '@tallystick/contract/demo';
import type { FastifyInstance } from 'fastify';
import { readBrand } from '../config/content.ts';
import type { Context } from '../context.ts';
import { serve } from '../platform/http/serve.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { lettersRoutes } from './letters-routes.ts';
import { demoInvestor, demoOperators } from './people.ts';
import { uiRoutes } from './ui-routes.ts';

/** Registered in demo mode alone. */
export function demoRoutes({ config, inbox, db, clock }: Pick<Context, 'config' | 'inbox' | 'db' | 'clock'>) {
  const operators = demoOperators({ db, clock });
  return async (app: FastifyInstance) => {
    serve(app, 'public', demoInvestorCall, async () => ({
      email: demoInvestor.email,
      password: demoInvestor.password,
    }));
    serve(app, 'public', demoOperatorsCall, async () => ({ operators: await operators() }));
    if (inbox) await app.register(inboxRoutes(inbox, config.siteUrl));
    await app.register(lettersRoutes({ ...readBrand(), siteUrl: config.siteUrl }));
    await app.register(uiRoutes(join(config.webDir, '..', 'stories')));
  };
}
