import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { AppError } from '../app-error.ts';
import { bearerOf } from './identity.ts';

/** The names of this machine for itself, as they stand in an address. */
const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

export function isLoopbackUrl(url: string): boolean {
  return loopbackNames.includes(new URL(url).hostname);
}

/**
 * A demo shows everyone's mail to whoever is on this machine. A page of another site is not, but its name can be made
 * to lead here, and its browser would then read the answer as its own: such a request still says that other name.
 */
export function refuseOtherHosts(siteUrl: string) {
  return ({ headers }: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const name = /^(\[[^\]]*\]|[^:]*)(:\d+)?$/.exec(headers.host ?? '')?.[1]?.toLowerCase();
    if (name !== undefined && loopbackNames.includes(name)) return done();
    throw new AppError('misdirected', `This demo answers on its own machine only: open ${siteUrl}.`);
  };
}

/**
 * HTTP wants one host named. Node's own refusal of none would be an empty answer, so it is told to leave that to us; of two
 * it takes the first, where a proxy may have taken the second.
 */
export function refuseUnclearHost(
  { headers, raw }: FastifyRequest,
  _reply: FastifyReply,
  done: HookHandlerDoneFunction,
) {
  const { rawHeaders, httpVersion } = raw;
  let named = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') named += 1;
  }
  if (named > 1) throw new AppError('invalid_request', 'The request names several hosts.');
  if (headers.host !== undefined || httpVersion === '1.0') return done();
  throw new AppError('invalid_request', 'The request names no host.');
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Another site must not be able to act with a visitor's cookies. Browsers say where a request comes from in
 * Sec-Fetch-Site or Origin; a script outside a browser says neither. Such a script may use public calls, and others
 * with the bearer token, which no browser attaches by itself; a cookie alone is not enough for it. The token counts
 * only where it then decides alone who asks: the console's cookie is not let through by it.
 */
export function refuseCrossSite(siteUrl: string) {
  const ownOrigin = new URL(siteUrl).origin;
  return (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
    if (safeMethods.includes(request.method)) return done();
    const site = request.headers['sec-fetch-site'];
    const origin = request.headers.origin;
    if (site !== undefined ? site === 'same-origin' : origin === ownOrigin) return done();
    const fromBrowser = site !== undefined || origin !== undefined;
    const { scope } = request.routeOptions.config;
    const byBearer = scope === 'investor' && bearerOf(request) !== null;
    if (!fromBrowser && (scope === 'public' || byBearer)) return done();
    // Without a session there is nothing to misuse: let the guard say that a sign-in is missing.
    if (!fromBrowser && request.headers.cookie === undefined) return done();
    throw new AppError('cross_site', 'This request came from another site and was refused.');
  };
}
