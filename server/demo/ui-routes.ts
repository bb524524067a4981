import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';
import { contentSecurityPolicyFor } from '../platform/http/pages.ts';

const config = { scope: 'public' } as const;

/** The pieces of the user interface in their states. Built beside the site and no part of it: a production has none. */
export function uiRoutes(dir: string): FastifyPluginAsync {
  return async (app) => {
    const file = join(dir, 'stories', 'index.html');
    // `npm run dev` has no build: there Vite draws the page.
    if (!existsSync(file)) return;
    const page = readFileSync(file, 'utf8');
    const policy = contentSecurityPolicyFor(page);
    app.get('/dev/ui', { config }, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page),
    );
    await app.register(fastifyStatic, {
      root: join(dir, 'assets'),
      prefix: '/dev/ui/assets/',
      decorateReply: false,
    });
  };
}
