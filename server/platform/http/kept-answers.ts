import type { FastifyInstance } from 'fastify';

/** What is said about an answer and not about who asked for it. */
const ofAnswers = [
  'content-type',
  'content-disposition',
  'content-security-policy',
  'access-control-allow-origin',
  'access-control-allow-methods',
];

interface Kept {
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * For routes that answer everyone alike: what was answered once is kept, and all who are answered share its bytes. Made anew
 * each time, a large answer would let a few who read slowly fill the memory, and anyone keep the server busy.
 */
export function keepAnswers(app: FastifyInstance): void {
  const kept = new Map<string, Kept>();
  app.addHook('preHandler', (request, reply, done) => {
    const known = kept.get(request.routeOptions.url ?? '');
    if (!known) return done();
    reply.headers(known.headers).send(known.body);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 200 || typeof payload !== 'string' || request.method !== 'GET')
      return done(null, payload);
    const said = ofAnswers.map((name) => [name, reply.getHeader(name)] as const);
    const headers = Object.fromEntries(said.flatMap(([name, is]) => (is ? [[name, String(is)]] : [])));
    const body = Buffer.from(payload);
    kept.set(request.routeOptions.url ?? '', { headers, body });
    done(null, body);
  });
}
