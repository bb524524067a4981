import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { load } from '../../work/load.ts';
import { throttledAddress } from '../throttle.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts among those that are worked on at this moment. */
    isAtWork: boolean;
  }
}

/** Whoever watches the server needs the truth, above all when there is too much to do. */
const watched = ['/healthz', '/readyz', '/metrics'];
export const isWatching = ({ routeOptions: { url = '' } }: FastifyRequest) => watched.includes(url);

/** For how long whoever is turned away is told to stay away. */
const restSeconds = { least: 2, most: 10 };
/** Who comes back and finds no place is turned away once more, and has to be counted beforehand. */
const returns = 4;

/** Made once: making an error, with where it came from, costs more than saying no. */
const busyFor = Array.from(
  { length: restSeconds.most + 1 },
  (_, retryAfterSeconds) =>
    new AppError('busy', 'Too much is happening at this moment. Try again in a few seconds.', {
      retryAfterSeconds,
    }),
);
export const busy = busyFor[restSeconds.least] as AppError;

/** The more are turned away for each that is done, the longer: those who come back at once keep others from being served. */
function busyAfter(turnedAway: number, done: number): AppError {
  const seconds = Math.ceil((returns * turnedAway) / Math.max(1, done));
  return busyFor[Math.min(restSeconds.most, Math.max(restSeconds.least, seconds))] as AppError;
}

interface Places {
  least: number;
  most: number;
  /** What one address may have of them, however many others there are. */
  share: number;
}

/**
 * Lets so many requests be worked on at once as were done in the last second, within two bounds; whoever comes then is told
 * to come back, before anything was done for them. What is let in is done within a second or so, instead of everything at
 * some time. Who sends their body or takes their answer slowly makes us no work meanwhile, and takes nobody's place. The
 * second half of the places is not for an address that has its share already: one alone could keep all others out.
 */
export function admitAtOnce(app: FastifyInstance, { least, most, share }: Places): void {
  let atWork = 0;
  const ofAddress = new Map<string, number>();
  let done = 0;
  let turnedAway = 0;
  let pace = least;
  let no = busy;
  let lookedAt = performance.now();
  const isFullFor = (address: string) => {
    const ms = performance.now() - lookedAt;
    if (ms >= 1_000) {
      pace = (1_000 * done) / ms;
      no = busyAfter(turnedAway, done);
      done = 0;
      turnedAway = 0;
      lookedAt += ms;
    }
    const places = Math.min(most, Math.max(least, pace));
    return atWork >= places || (atWork >= places / 2 && (ofAddress.get(address) ?? 0) >= share);
  };
  const count = (address: string, change: 1 | -1) => {
    atWork += change;
    load.requests += change;
    const left = (ofAddress.get(address) ?? 0) + change;
    if (left > 0) ofAddress.set(address, left);
    else ofAddress.delete(address);
  };
  const enter = (request: FastifyRequest, next: (error?: Error) => void) => {
    if (isWatching(request)) return next();
    const address = throttledAddress(request.clientAddress);
    if (isFullFor(address)) {
      turnedAway += 1;
      return next(no);
    }
    count(address, 1);
    request.isAtWork = true;
    next();
  };
  const leave = (request: FastifyRequest) => {
    if (!request.isAtWork) return;
    request.isAtWork = false;
    count(throttledAddress(request.clientAddress), -1);
  };
  app.decorateRequest('isAtWork', false);
  app.addHook('onRequest', (request, _reply, next) => enter(request, next));
  app.addHook('preParsing', (request, _reply, payload, next) => {
    leave(request);
    next(null, payload);
  });
  app.addHook('preValidation', (request, _reply, next) => enter(request, next));
  // Also where nobody waits for the answer any more: until then there is work.
  app.addHook('onSend', (request, _reply, payload, next) => {
    if (request.isAtWork) done += 1;
    leave(request);
    next(null, payload);
  });
}

/** The database, the mail server, files, and connections that come while others are being closed. */
const ownFiles = 500;

/** How many connections this process may have, of all the files that it may open; null where nothing says so. */
export function connectionsMax(limits: string): number | null {
  const [, files] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return files === undefined ? null : Math.max(Number(files) - ownFiles, Math.ceil(Number(files) / 2));
}

/** Hangs up on whoever is one too many, as long as there are files left for everything else. */
export function limitConnections({ server }: FastifyInstance): void {
  let limits = '';
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    // Only Linux tells.
  }
  const most = connectionsMax(limits);
  if (most === null) return;
  let open = 0;
  // Counted here and not by the server: connections come to it from several listeners.
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open > most) socket.destroy();
  });
}
