import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
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

const place = '/api/docs';
const scriptPlace = `${place}/js/scalar.js`;

/**
 * The page and its script, as the library makes them: 250 files, read when somebody first looks. All who do share the
 * bytes, or a few who read 4 MB slowly could fill the memory.
 */
async function makeReference() {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const maker = Fastify();
  await maker.register(scalar, {
    routePrefix: place,
    configuration: {
      url: './openapi.json',
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
  const answers = [await maker.inject(`${place}/`), await maker.inject(scriptPlace)] as const;
  await maker.close();
  const failed = answers.find(({ statusCode }) => statusCode !== 200);
  if (failed) throw new Error(`the API reference cannot be read: ${failed.body.slice(0, 200)}`);
  const page = answers[0].body.replace('<head>', `<head>${noCompiledSchemas}`);
  const script = answers[1].rawPayload;
  // The page has inline scripts of the library: exactly those are allowed, as on our own pages.
  return { page: Buffer.from(page), policy: contentSecurityPolicyFor(page), script };
}

export async function docsRoutes(app: FastifyInstance): Promise<void> {
  let made: ReturnType<typeof makeReference> | undefined;
  const reference = () => {
    made ??= makeReference().catch((error) => {
      // Out of files, for example: whoever asks next may be luckier.
      made = undefined;
      throw error;
    });
    return made;
  };
  let document: Buffer | undefined;
  const hidden = { schema: { hide: true } };

  app.get(`${place}/openapi.json`, hidden, async (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.header('access-control-allow-origin', '*').type('application/json').send(document);
  });
  app.get(place, hidden, async (_request, reply) => reply.redirect(`${place}/`, 301));
  app.get(`${place}/`, hidden, async (_request, reply) => {
    const { page, policy } = await reference();
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page);
  });
  app.get(scriptPlace, hidden, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send((await reference()).script),
  );
}
