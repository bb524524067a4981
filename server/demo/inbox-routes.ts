import { readFileSync } from 'node:fs';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Inbox } from './inbox.ts';
import { framedLetter, listPage, messagePage, notFoundPage } from './inbox-pages.ts';

export const styles = readFileSync(new URL('./inbox.css', import.meta.url), 'utf8');

const pagePolicy =
  "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A letter is written by whoever filled in a form. It gets its inline styles and nothing else, framed or opened alone. */
const letterPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
  'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

const config = { scope: 'public' } as const;

interface OneMessage {
  Params: { id: string };
}

export const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': pagePolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export function sendPage(reply: FastifyReply, markup: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(markup);
}

export function sendLetter(reply: FastifyReply, letter: string): FastifyReply {
  reply.headers({
    'content-security-policy': letterPolicy,
    'x-frame-options': 'SAMEORIGIN',
    // A sandboxed page has no origin to be kept apart by, and browsers complain when asked to.
    'origin-agent-cluster': '?0',
  });
  return sendPage(reply, framedLetter(letter));
}

/**
 * The development inbox. Only demo mode registers it: it shows everyone's mail to whoever asks. A machine has several
 * names for itself, and who is signed in under one is nobody under another: links keep to the one that is in use.
 */
export function inboxRoutes(inbox: Inbox, siteUrl: string): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers(pageHeaders);
    });

    app.get('/dev/inbox', { config }, async (_request, reply) =>
      sendPage(reply, listPage(await inbox.list())),
    );

    app.get('/dev/inbox.css', { config }, async (_request, reply) =>
      reply.type('text/css; charset=utf-8').send(styles),
    );

    app.get('/dev/inbox.json', { config }, async () => {
      const messages = await inbox.list();
      return { messages: messages.map(({ headers: _headers, html: _html, ...told }) => told) };
    });

    app.get<OneMessage>('/dev/inbox/:id', { config }, async (request, reply) => {
      const message = await inbox.read(request.params.id);
      return message ? sendPage(reply, messagePage(message)) : sendPage(reply.code(404), notFoundPage());
    });

    app.get<OneMessage>('/dev/inbox/:id/html', { config }, async (request, reply) => {
      const message = await inbox.read(request.params.id);
      if (message?.html === undefined) return sendPage(reply.code(404), notFoundPage());
      const inUse = `${request.protocol}://${request.host}`;
      return sendLetter(reply, message.html.replaceAll(`"${siteUrl}/`, `"${inUse}/`));
    });
  };
}
