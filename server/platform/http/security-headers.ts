import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

/** What every answer says of itself, errors included. Whatever knows better, such as a page, says so in its own headers. */
export function securityHeaders(siteUrl: string): Record<string, string> {
  const overHttps = siteUrl.startsWith('https:');
  return {
    // Pages bring their own policy with the hashes of their scripts; everything else may load nothing at all.
    'content-security-policy': "default-src 'none';frame-ancestors 'none';base-uri 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(overHttps && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    // Whatever may be kept says so itself; an address can be spelled in many ways and tells nothing.
    'cache-control': 'no-store',
  };
}

/** The first hook of all, so that no refusal is without them. */
export function sendSecurityHeaders(siteUrl: string) {
  const headers = securityHeaders(siteUrl);
  return (_request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    reply.headers(headers);
    done();
  };
}
