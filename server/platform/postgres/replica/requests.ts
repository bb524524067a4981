import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerOf, secretCookie } from '../../http/identity.ts';
import type { ReadDb } from '../db.ts';
import { positionOf, positionToText } from './position.ts';
import type { After, Reads } from './reads.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** For what may be a moment old, and not older than what whoever asks has written. */
    readonly readDb: ReadDb;
  }
}

/**
 * What somebody wrote a minute ago is on every replica that is read at all, which is at most ten seconds old: from then on
 * there is nothing to remember.
 */
const rememberedSeconds = 60;
/** Nobody waits long for the position of what is done already. */
const positionMsMax = 1_000;
/** Written, and nobody can say up to where. */
const somewhere = 'unknown';

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

/**
 * Who has written is told, in a cookie beside the session's, where the primary stood then: servers share nothing. It is no
 * secret and is not signed. One that is made up costs whoever made it up the sight of their own last minute, or the
 * primary some reads, which anybody may ask of it who shows a token instead of a cookie.
 */
export function readAfterOwnWrites(
  app: FastifyInstance,
  { reads, siteUrl }: { reads: Reads; siteUrl: string },
): void {
  const cookie = secretCookie('written', siteUrl, { ageSecondsMax: rememberedSeconds });
  const { position } = reads;

  function afterOf(request: FastifyRequest): After {
    const written = cookie.read(request);
    if (written !== null) return positionOf(written) ?? 'everything';
    // A program that brings a token keeps no cookies, and may have written a moment ago.
    return position && bearerOf(request) !== null ? 'everything' : null;
  }
  /** One for all that a request reads. */
  const kept = new WeakMap<FastifyRequest, ReadDb>();
  app.decorateRequest('readDb', {
    getter() {
      return kept.getOrInsertComputed(this, () => reads.after(afterOf(this)));
    },
  });
  if (!position) return;

  async function whereNow(): Promise<string> {
    const late = delay(positionMsMax, null, { ref: false });
    const found = await Promise.race([position?.().catch(() => null), late]);
    return found ? positionToText(found) : somewhere;
  }
  app.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    // Whoever was let in may have written something although it was refused, or nobody knows whether it was done.
    const mayHaveWritten = request.identity !== null || request.operator !== null || reply.statusCode < 400;
    if (!isRead(request) && mayHaveWritten) cookie.write(reply, await whereNow());
    return payload;
  });
}
