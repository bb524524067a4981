import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorBody, statusOf } from '@tallystick/contract/errors';
import { requestIdHeader } from './request-id.ts';

/** In our words, where the framework would use its own: no request has come of it, so no handler sees it. */
function refusalOf({ code }: NodeJS.ErrnoException): ErrorBody {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { code: 'invalid_request', message: 'The request did not come whole in time.' };
  if (code === 'HPE_HEADER_OVERFLOW')
    return { code: 'payload_too_large', message: 'The request is too large.' };
  return { code: 'invalid_request', message: 'The request is malformed.' };
}

/**
 * Whether an answer would be taken for that of another request: one that came whole before and is being worked on, or whose
 * answer has begun. Node keeps the answer that is next on a connection there, and asks the same before its own refusal.
 */
function isAnotherAwaited({
  _httpMessage: next,
}: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  return next ? next.req.complete || next.headersSent : false;
}

function answerOf(body: ErrorBody, headers: Record<string, string>) {
  const text = JSON.stringify(body);
  const all = {
    ...headers,
    ...requestIdHeader(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(text.length),
    connection: 'close',
  };
  return { status: statusOf[body.code], text, all };
}

/** Node's own refusal of what it does not know would be an empty answer. What everyone knows, `100-continue`, it does itself. */
export function refuseExpectation(headers: Record<string, string>) {
  return (_request: IncomingMessage, response: ServerResponse): void => {
    const refusal: ErrorBody = {
      code: 'invalid_request',
      message: 'The request expects what is not done here.',
    };
    const { status, text, all } = answerOf(refusal, headers);
    response.writeHead(status, all).end(text);
  };
}

/** Answers what is no HTTP, or not all of a request, and hangs up. */
export function answerMalformed(headers: Record<string, string>) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (isAnotherAwaited(socket)) {
      socket.destroy();
      return;
    }
    const { status, text, all } = answerOf(refusalOf(error), headers);
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    if (socket.writable)
      socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n'));
    socket.destroySoon();
  };
}
