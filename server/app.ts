import cookie from '@fastify/cookie';
import underPressure from '@fastify/under-pressure';
import { investorPaths, operatorPaths } from '@tallystick/contract/site';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type RouteOptions,
} from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Context } from './context.ts';
import { demoRoutes } from './demo/routes.ts';
import { sampleInvestorRoutes, sampleOperatorRoutes } from './demo/sample-routes.ts';
import { accountRoutes } from './modules/account/routes.ts';
import { fundingPublicRoutes, fundingRoutes } from './modules/funding/routes.ts';
import { investmentPublicRoutes, investmentRoutes } from './modules/investment/routes.ts';
import { ledgerRoutes } from './modules/ledger/routes.ts';
import { logRoutes } from './modules/log/routes.ts';
import { mailRoutes } from './modules/mail/routes.ts';
import { noticesRoutes } from './modules/notices/routes.ts';
import { operatorRoutes } from './modules/operator/routes.ts';
import { nameOperators, operatorGuard, operatorPublicRoutes } from './modules/operator/session/routes.ts';
import { pricesRoutes } from './modules/prices/routes.ts';
import { papersOperatorRoutes, papersRoutes } from './modules/proof/papers/routes.ts';
import { proofPublicRoutes, proofRoutes } from './modules/proof/routes.ts';
import {
  investorGuard,
  investorIfAny,
  usersInvestorRoutes,
  usersPublicRoutes,
} from './modules/users/routes.ts';
import { withdrawalPublicRoutes, withdrawalRoutes } from './modules/withdrawal/routes.ts';
import { auditRefusals } from './platform/audit/refusal-audit.ts';
import { collectSchemas, docsRoutes } from './platform/http/api-docs.ts';
import { findClientAddress } from './platform/http/client-address.ts';
import { admitAtOnce, busy, isWatching, limitConnections } from './platform/http/connections/admission.ts';
import { closeConnectionsWhenIdle } from './platform/http/connections/closing.ts';
import { limitRequests } from './platform/http/connections/general-limit.ts';
import { restTurnedAway } from './platform/http/connections/rest.ts';
import { readJsonBodies } from './platform/http/json-body.ts';
import { answerMalformed, refuseExpectation } from './platform/http/malformed.ts';
import { refuseCrossSite, refuseOtherHosts, refuseUnclearHost } from './platform/http/origin.ts';
import { createPages } from './platform/http/pages.ts';
import { answerError, bodyBytesMax, sendNotFound } from './platform/http/refusals.ts';
import { requestIdHeader, requestIds, sendRequestId } from './platform/http/request-id.ts';
import { securityHeaders, sendSecurityHeaders } from './platform/http/security-headers.ts';
import type { Scope } from './platform/http/serve.ts';
import { watchingRoutes } from './platform/metrics/routes.ts';
import { readAfterOwnWrites } from './platform/postgres/replica/requests.ts';

/** For the headers of a request to arrive, and for the whole of it. Only in this order does Node keep to both. */
const headersMsMax = 15_000;
const requestMsMax = 30_000;
/** How often it is looked for requests that are late. */
const lateEveryMs = 5_000;
/** For who takes nothing of their answer, or asks nothing more; longer than any answer may take to come. */
const standstillMsMax = 120_000;
/** Worked on at once: a burst, and as many as a server that is alone on its machine does in a second or less. */
const requestsAtOnce = { least: 256, most: 1_000 };
/** Of them, for one address: what it may ask for in so many seconds. */
const shareSeconds = 3;

async function useSafetyPlugins(app: FastifyInstance, { config, db, clock, logger }: Context): Promise<void> {
  await app.register(cookie);
  limitRequests(app, { db, clock, logger, perMinute: config.requestsPerMinute });
  await app.register(underPressure, {
    maxEventLoopDelay: config.eventLoopDelayMsMax,
    pressureHandler: (request) => {
      if (!isWatching(request)) throw busy;
    },
  });
  admitAtOnce(app, { ...requestsAtOnce, share: (shareSeconds * config.requestsPerMinute) / 60 });
  restTurnedAway(app);
}

interface RouteEntry {
  method: string;
  url: string;
  scope: Scope | undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    routeTable(): RouteEntry[];
  }
}

/** Keeps a list of all routes and refuses to start with one that nobody put into a scope. */
function keepRouteTable(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  const table = () =>
    routes.flatMap(({ method, url, config }) =>
      [method].flat().map((name) => ({ method: name, url, scope: config?.scope })),
    );
  app.decorate('routeTable', table);
  app.addHook('onReady', async () => {
    const stray = table().filter((route) => !route.scope);
    if (stray.length > 0)
      throw new Error(`No scope: ${stray.map(({ method, url }) => `${method} ${url}`).join(', ')}`);
  });
}

/** Every route of a scope carries the scope's name, so that one nobody classified stands out. */
function inScope(app: FastifyInstance, scope: Scope): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, scope };
  });
}

type MoreRoutes = (app: FastifyInstance) => Promise<void>;

/** What people ask for, scope by scope, and the pages. */
async function servePeople(app: FastifyInstance, context: Context, more: MoreRoutes): Promise<void> {
  const { config, users } = context;
  await app.register(async (open) => {
    inScope(open, 'public');
    await open.register(usersPublicRoutes({ users, siteUrl: config.siteUrl }));
    await open.register(pricesRoutes(context.prices));
    await open.register(logRoutes(context.log));
    await open.register(mailRoutes(context.contact));
    await open.register(investmentPublicRoutes(context.investment));
    const whoever = investorIfAny({ users, siteUrl: config.siteUrl });
    await open.register(fundingPublicRoutes({ funding: context.funding, config, whoever }));
    await open.register(withdrawalPublicRoutes(context.withdrawal));
    await open.register(proofPublicRoutes(context.proof));
    await open.register(operatorPublicRoutes({ users, siteUrl: config.siteUrl }));
    await open.register(docsRoutes);
    if (config.mode === 'demo') await open.register(demoRoutes(context));
  });
  await app.register(async (investor) => {
    inScope(investor, 'investor');
    investor.addHook('onRequest', investorGuard({ users, siteUrl: config.siteUrl }));
    await investor.register(usersInvestorRoutes({ users, siteUrl: config.siteUrl }));
    await investor.register(noticesRoutes(context.notices));
    await investor.register(accountRoutes({ account: context.account, siteUrl: config.siteUrl }));
    await investor.register(ledgerRoutes(context.ledger));
    await investor.register(investmentRoutes(context));
    await investor.register(fundingRoutes(context));
    await investor.register(withdrawalRoutes(context));
    await investor.register(papersRoutes(context.papers));
    await investor.register(proofRoutes(context.proof));
    await investor.register(sampleInvestorRoutes(context.sampleChain));
    await investor.register(more);
  });

  await app.register(async (console) => {
    inScope(console, 'operator');
    console.addHook('onRequest', operatorGuard({ users, siteUrl: config.siteUrl }));
    console.addHook('onError', nameOperators(users));
    await console.register(operatorRoutes({ ...context, siteUrl: config.siteUrl }));
    await console.register(papersOperatorRoutes(context.papers));
    await console.register(sampleOperatorRoutes(context.sampleChain));
  });

  const pages = createPages({
    dir: config.webDir,
    demo: config.mode === 'demo',
    siteUrl: config.siteUrl,
    appPaths: [...investorPaths, ...operatorPaths],
  });
  await app.register(async (open) => {
    inScope(open, 'public');
    await open.register(pages.routes);
  });
  app.setNotFoundHandler((request, reply) =>
    request.method === 'GET' ? pages.sendNotFoundPage(request, reply) : sendNotFound(reply),
  );
  await app.register(async (api) => api.setNotFoundHandler((_request, reply) => sendNotFound(reply)), {
    prefix: '/api',
  });
}

const zodAlone = (): never => {
  throw new Error('a schema that is not of zod');
};

/**
 * Builds the HTTP application; it neither listens nor reads the environment, so tests can `inject` into it. A bench may
 * add calls of its own, to measure what every call of an investor costs: the scope's guard stands before them, too.
 */
export async function createApp(
  context: Context,
  moreInvestorRoutes: MoreRoutes = async () => {},
): Promise<FastifyInstance> {
  const { config, logger } = context;
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // One line per request is the reverse proxy's business; ours are failures.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyBytesMax,
    requestTimeout: requestMsMax,
    connectionTimeout: standstillMsMax,
    http: {
      requireHostHeader: false,
      headersTimeout: headersMsMax,
      connectionsCheckingInterval: lateEveryMs,
    },
    // Those that come with Fastify are a hundred files, which would be loaded at every start and used by nobody.
    schemaController: { compilersFactory: { buildValidator: zodAlone, buildSerializer: zodAlone } },
    genReqId: requestIds(config.trustedProxies),
    clientErrorHandler: answerMalformed(securityHeaders(config.siteUrl)),
    // Addresses that the router itself cannot read.
    frameworkErrors: (error, request, reply) =>
      answerError(
        error,
        request,
        reply.headers({ ...securityHeaders(config.siteUrl), ...requestIdHeader(request.id) }),
      ),
  });
  app.removeContentTypeParser('text/plain');
  readJsonBodies(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('clientAddress', '');
  app.decorateRequest('identity', null);
  app.decorateRequest('operator', null);
  keepRouteTable(app);
  // Connections that rest end like those that stand still: a limit of their own would set two timers for each request. Not an
  // option above, because there Fastify takes zero for its default.
  app.server.keepAliveTimeout = 0;
  closeConnectionsWhenIdle(app);
  limitConnections(app);
  app.server.on('checkExpectation', refuseExpectation(securityHeaders(config.siteUrl)));
  app.setErrorHandler(answerError);
  app.addHook('onError', auditRefusals(context));

  app.addHook('onRequest', sendRequestId);
  app.addHook('onRequest', sendSecurityHeaders(config.siteUrl));
  app.addHook('onRequest', findClientAddress({ ...context, trusted: config.trustedProxies }));
  app.addHook('onRequest', refuseUnclearHost);
  if (config.mode === 'demo') app.addHook('onRequest', refuseOtherHosts(config.siteUrl));
  await useSafetyPlugins(app, context);
  readAfterOwnWrites(app, { reads: context.reads, siteUrl: config.siteUrl });
  app.addHook('onRequest', refuseCrossSite(config.siteUrl));
  const watching = watchingRoutes(context);
  watching.measure(app);
  await collectSchemas(app);

  await app.register(async (open) => {
    inScope(open, 'public');
    await open.register(watching.routes);
  });
  // A worker is asked only whether it works.
  if (config.role === 'worker') app.setNotFoundHandler((_request, reply) => sendNotFound(reply));
  else await servePeople(app, context, moreInvestorRoutes);
  return app;
}
