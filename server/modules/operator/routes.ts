import type { FastifyInstance } from 'fastify';
import { auditRoutes } from './audit/routes.ts';
import { booksRoutes } from './books/routes.ts';
import { checklistRoutes } from './checklist/routes.ts';
import { investorsRoutes } from './investors/routes.ts';
import { messagesRoutes } from './messages/routes.ts';
import { methodsRoutes } from './methods/routes.ts';
import { networksRoutes } from './networks/routes.ts';
import { payoutsRoutes } from './payouts/routes.ts';
import { plansRoutes } from './plans/routes.ts';
import { queueRoutes } from './queue/routes.ts';
import type { ConsoleParts } from './service.ts';
import { sessionRoutes } from './session/routes.ts';

/** The console, page by page. */
export function operatorRoutes(needs: ConsoleParts) {
  return async (app: FastifyInstance) => {
    sessionRoutes(app, needs);
    queueRoutes(app, needs);
    investorsRoutes(app, needs);
    plansRoutes(app, needs);
    methodsRoutes(app, needs);
    networksRoutes(app, needs);
    payoutsRoutes(app, needs);
    booksRoutes(app, needs);
    auditRoutes(app, needs);
    messagesRoutes(app, needs);
    checklistRoutes(app, needs);
  };
}
