import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { type AddressList, parseAddress } from './client-address.ts';

const header = 'x-request-id';
/** As proxies make them; nothing that could be mistaken for another part of a log line. */
const shape = /^[\w.:-]{8,64}$/;

/**
 * Each request has a name that its answer carries and its log lines have as `reqId`. A proxy that is believed has named
 * it already, and wrote that in a log of its own. Whatever else a client sends is not taken: it could be the name of
 * somebody else's request, or a thousand times the same.
 */
export function requestIds(trusted: AddressList) {
  return ({ socket, headers }: IncomingMessage): string => {
    const given = headers[header];
    const isNamed = typeof given === 'string' && shape.test(given);
    return isNamed && trusted.has(parseAddress(socket.remoteAddress ?? '') ?? '') ? given : randomUUID();
  };
}

/** The header of an answer to a request, or to what has not become one. */
export const requestIdHeader = (id: string = randomUUID()) => ({ [header]: id });

/** An onRequest hook, before any other: whatever becomes of a request, its answer has its name. */
export function sendRequestId(
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  reply.header(header, request.id);
  done();
}
