import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isWatching } from './admission.ts';

const wakeEveryMs = 10;
/** Four in a millisecond, and fewer by itself where there is so much to do that the timer is late. */
const wokenAtOnce = 40;

const isToldToComeBack = ({ statusCode }: FastifyReply) => statusCode === 429 || statusCode === 503;

/**
 * Does not listen for a moment to a connection on which somebody was told to come back later. Answering at once leads to the next
 * request at once; and as long as more than a thousand connections have something to say, Node reads on for up to 50,000 of
 * them before it looks at its timers and at what waits for its turn, which batches of money do. With three thousand that
 * never fell silent it said no for twenty seconds, and did nothing else. Where nobody rests, a rest is over in no time.
 */
export function restTurnedAway(app: FastifyInstance): void {
  const resting: Socket[] = [];
  let timer: NodeJS.Timeout | undefined;
  const wake = (count: number) => {
    for (const socket of resting.splice(0, count)) socket.resume();
    if (resting.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const rest = (socket: Socket) => {
    if (socket.destroyed) return;
    socket.pause();
    resting.push(socket);
    timer ??= setInterval(wake, wakeEveryMs, wokenAtOnce);
  };
  app.addHook('onResponse', (request, reply, done) => {
    if (isToldToComeBack(reply) && !isWatching(request)) {
      const { raw, socket } = request;
      // Until then Node reads what is left of the request, and would not let it rest.
      if (raw.closed) rest(socket);
      else raw.once('close', () => rest(socket));
    }
    done();
  });
  // Who is not listened to is not noticed when they hang up.
  app.addHook('preClose', async () => wake(resting.length));
}
