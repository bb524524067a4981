import type { ErrorBody, ErrorCode } from '@tallystick/contract/errors';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../app-error.ts';
import { WrongClock } from '../clock.ts';
import { isDatabaseAway, isOutcomeUnknown } from '../postgres/away.ts';

/** Zod's own words are for programmers; these are what a caller reads when a schema has no words of its own. */
z.config({
  customError(issue) {
    if (issue.code === 'invalid_type') {
      return issue.input === undefined ? 'This field is missing.' : `This field must be a ${issue.expected}.`;
    }
    if (issue.code === 'invalid_value') return `This field must be one of: ${issue.values.join(', ')}.`;
    if (issue.code === 'unrecognized_keys') return `Unknown field: ${issue.keys.join(', ')}.`;
    if (issue.code === 'too_big') return 'This field is too long.';
    return 'This field is not valid.';
  },
});

const invalid = (message: string) => new AppError('invalid_request', message);

/** Fastify's own refusals in our words; what is not listed and has a 4xx status is a malformed request. */
const frameworkRefusals: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The request is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send JSON: Content-Type application/json.'],
  // Text that the database cannot hold, and that no schema has caught.
  '22021': ['invalid_request', 'The request holds a character that cannot be stored.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_request', 'The body is not valid JSON.'],
};

function asAppError(error: FastifyError | AppError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation;
    const field = first?.instancePath.split('/').filter(Boolean).join('.');
    const text = first?.message ?? 'The request is malformed.';
    return invalid(field ? `${field}: ${text}` : text);
  }
  const known = frameworkRefusals[error.code];
  if (known) return new AppError(...known);
  const status = error.statusCode ?? 500;
  // Also a caller who hangs up in the middle, whose broken connection looks like one to the database.
  if (status >= 400 && status < 500) return invalid('The request is malformed.');
  if (isDatabaseAway(error)) request.log.error({ err: error }, 'the database cannot be reached');
  const isClockWrong = error instanceof WrongClock;
  if (isClockWrong)
    request.log.error({ alert: true, err: error }, 'a clock is wrong, and money stands still');
  if (isOutcomeUnknown(error)) {
    return new AppError('busy', 'It is not known yet whether this was done. Look in a few seconds.', {
      retryAfterSeconds: 5,
    });
  }
  if (status === 503 || isClockWrong || isDatabaseAway(error)) {
    return new AppError('busy', 'The server is busy. Try again in a few seconds.', { retryAfterSeconds: 5 });
  }
  request.log.error({ err: error }, 'a request failed');
  return new AppError('internal', 'Something went wrong on our side. Please try again.');
}

/** A body of this length is refused before it comes; the framework has the same number from here. */
export const bodyBytesMax = 64 * 1024;

/** Whether more of a body would come than we would ever have read; what is left of a short one costs less than a new connection. */
function wouldGoOn({ raw, headers }: FastifyRequest): boolean {
  if (raw.complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bodyBytesMax;
}

function send(reply: FastifyReply, error: AppError): FastifyReply {
  if (wouldGoOn(reply.request)) reply.header('connection', 'close');
  if (error.retryAfterSeconds) reply.header('retry-after', error.retryAfterSeconds);
  const body: ErrorBody = { code: error.code, message: error.message };
  if (error.userid) body.userid = error.userid;
  if (error.ways) body.ways = error.ways;
  return reply.status(error.status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** The one place where an error becomes an answer: nothing internal ever leaves through it. */
export function answerError(
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return send(reply, asAppError(error, request));
}

export function sendNotFound(reply: FastifyReply): FastifyReply {
  return send(reply, new AppError('not_found', 'There is nothing at this address.'));
}
