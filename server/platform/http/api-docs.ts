import swagger from '@fastify/swagger';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { keepAnswers } from './kept-answers.ts';
import { contentSecurityPolicyFor } from './pages.ts';

/** Collects the schemas of every route registered after it. */
export async function collectSchemas(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    transform: jsonSchemaTransform,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tallystick API',
        version: '1',
        description:
          'The calls of the web app. Amounts are US dollars with at most two decimals. Every refusal is `{ code, message }`.',
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'The token that signing in answers with.' },
          cookie: {
            type: 'apiKey',
            in: 'cookie',
            name: 'session',
            description: 'Set at sign-in; for same-origin browsers.',
          },
          console: {
            type: 'apiKey',
            in: 'cookie',
            name: 'operator-session',
            description: 'Set when an operator signs in; the only way into the console.',
          },
        },
      },
    },
  });
}

/** The library's schemas would try to compile code, which the policy refuses; each try would be reported. */
const noCompiledSchemas = '<script>globalThis.__zod_globalConfig={jitless:true}</script>';

export async function docsRoutes(app: FastifyInstance): Promise<void> {
  // The reference page is built by its library with inline scripts: allow exactly those, as on our own pages.
  app.addHook('onSend', async (_request, reply, payload) => {
    if (typeof payload !== 'string' || !String(reply.getHeader('content-type')).startsWith('text/html'))
      return payload;
    const html = payload.replace('<head>', `<head>${noCompiledSchemas}`);
    reply.header('content-security-policy', contentSecurityPolicyFor(html)).removeHeader('content-length');
    return html;
  });
  keepAnswers(app);
  await app.register(scalar, {
    routePrefix: '/api/docs',
    configuration: {
      title: 'Tallystick API',
      favicon: '/favicon.svg',
      withDefaultFonts: false,
      // The page stays on this site: nothing that leads to the library's own services.
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
}
