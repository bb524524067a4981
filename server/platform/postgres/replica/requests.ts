import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { secretCookie } from '../../http/identity.ts';
import type { ReadDb } from '../db.ts';
import { positionOf, positionToText } from './position.ts';
import type { After, Reads } from './reads.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** For what may be a moment old, and not older than what whoever asks has written. */
    readonly readDb: ReadDb;
  }
}

/** Nobody waits long for the position of what is done already. */
const positionMsMax = 1_000;
/** Written, and nobody can say up to where. */
const somewhere = 'unknown';

const writes = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';

/**
 * Who has written is told, in a cookie beside the session's, where the primary stood then: servers share nothing. Whoever
 * is signed in and brings none, as programs do that keep no cookies, reads from the primary. It is no secret and is not
 * signed: one that is made up costs whoever made it up the sight of what they wrote last, or the primary their reads.
 */
export function readAfterOwnWrites(
  app: FastifyInstance,
  { reads, siteUrl }: { reads: Reads; siteUrl: string },
): void {
  const cookie = secretCookie('written', siteUrl);
  const { position } = reads;

  const isSignedIn = ({ identity, operator }: FastifyRequest) => identity !== null || operator !== null;
  function afterOf(request: FastifyRequest): After {
    const written = cookie.read(request);
    if (written !== null) return positionOf(written) ?? 'everything';
    return isSignedIn(request) ? 'everything' : null;
  }

  /** One for all that a request reads. */
  const kept = new WeakMap<FastifyRequest, { after: After; readDb: ReadDb }>();
  app.decorateRequest('readDb', {
    getter() {
      const found = kept.get(this);
      if (found) return found.readDb;
      if (writes(this)) throw new Error('what a command reads before it writes must not be old');
      const after = afterOf(this);
      const readDb = reads.after(after);
      kept.set(this, { after, readDb });
      return readDb;
    },
  });
  if (!position) return;

  async function whereNow(): Promise<string> {
    const late = delay(positionMsMax, null, { ref: false });
    const found = await Promise.race([position?.().catch(() => null), late]);
    return found ? positionToText(found) : somewhere;
  }

  /** Whoever was let in may have written something although it was refused, or nobody knows whether it was done. */
  const mayHaveWritten = (request: FastifyRequest, { statusCode }: FastifyReply) =>
    writes(request) && (isSignedIn(request) || statusCode < 400);
  /** Read from the primary for want of a position, by somebody who keeps cookies: from now on there is one. */
  const wantsPosition = (request: FastifyRequest) =>
    kept.get(request)?.after === 'everything' && request.headers.cookie !== undefined;

  /** Whoever keeps such an answer would hand one person's position on to all, for as long as it is kept. */
  const isForAll = (reply: FastifyReply) => String(reply.getHeader('cache-control')).startsWith('public');

  app.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const isTold = mayHaveWritten(request, reply) || (wantsPosition(request) && !isForAll(reply));
    if (isTold) cookie.write(reply, await whereNow());
    return payload;
  });
}
