import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

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
  return async ({ headers }: FastifyRequest) => {
    const name = /^(\[[^\]]*\]|[^:]*)(:\d+)?$/.exec(headers.host ?? '')?.[1]?.toLowerCase();
    if (name !== undefined && loopbackNames.includes(name)) return;
    throw new AppError('misdirected', `This demo answers on its own machine only: open ${siteUrl}.`);
  };
}
