import { Readable } from 'node:stream';
import type { Call, CallAnswer } from '@tallystick/contract/call';
import { ErrorBody } from '@tallystick/contract/error-body';
import { type ErrorCode, statusOf } from '@tallystick/contract/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../app-error.ts';
import type { Streamed } from './streaming.ts';

export type Scope = 'public' | 'investor' | 'operator';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. A route without one fails the authorization test. */
    scope?: Scope;
  }
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

interface HandlerInput<C extends Call> {
  params: Output<C['params']>;
  query: Output<C['query']>;
  body: Output<C['body']>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What any call may answer besides its own refusals. */
const refusalsOfAll: ErrorCode[] = ['invalid_request', 'cross_site', 'too_many_requests', 'internal', 'busy'];
const refusalsWithBody: ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

/** By the codes that it stands for: a few for all routes, and each takes its time to make. */
const errorBodies = new Map<string, z.ZodType>();

function errorBodyFor(codes: string): z.ZodType {
  const body = errorBodies.get(codes) ?? ErrorBody.describe(codes);
  errorBodies.set(codes, body);
  return body;
}

function responsesOf(call: Call, scope: Scope): Record<number, z.ZodType> {
  const codes = [...refusalsOfAll, ...call.refusals];
  // Also where none is asked for: one may come all the same.
  if (call.method !== 'GET') codes.push(...refusalsWithBody);
  if (scope !== 'public') codes.push('unauthenticated');
  const described = (status: number) => {
    const named = codes.filter((code) => statusOf[code] === status);
    return errorBodyFor([...new Set(named)].join(', '));
  };
  const refusals = Object.fromEntries(codes.map((code) => [statusOf[code], described(statusOf[code])]));
  return { ...refusals, 200: call.answer };
}

const securityOf = {
  public: {},
  investor: { security: [{ bearer: [] }, { cookie: [] }] },
  operator: { security: [{ console: [] }] },
};

/** What a call does not ask for is not passed over: whoever sent it meant something by it. */
function refuseFields(body: unknown): void {
  if (body == null || (typeof body === 'object' && !Array.isArray(body) && Object.keys(body).length === 0))
    return;
  const names = typeof body === 'object' ? Object.keys(body).slice(0, 5).join(', ') : 'the body';
  throw new AppError('invalid_request', `Unknown field: ${names}.`);
}

/** Makes a route of a call in the contract: its schemas validate, type and document it. */
export function serve<C extends Call>(
  app: FastifyInstance,
  scope: Scope,
  call: C,
  handle: (input: HandlerInput<C>) => Promise<CallAnswer<C> | Streamed<CallAnswer<C>>>,
): void {
  app.route({
    method: call.method,
    url: call.path,
    config: { scope },
    schema: {
      summary: call.summary,
      tags: [call.path.split('/')[2] ?? 'api'],
      ...securityOf[scope],
      ...(call.params ? { params: call.params } : {}),
      ...(call.query ? { querystring: call.query } : {}),
      ...(call.body ? { body: call.body } : {}),
      response: responsesOf(call, scope),
    },
    preValidation: (request, _reply, done) => {
      if (!call.body) refuseFields(request.body);
      // A missing body is an empty one: its missing fields are then named one by one.
      else if (request.body == null) request.body = {};
      done();
    },
    handler: async (request, reply) => {
      const answer = await handle({
        params: request.params as Output<C['params']>,
        query: request.query as Output<C['query']>,
        body: request.body as Output<C['body']>,
        request,
        reply,
      });
      if (answer instanceof Readable) reply.type('application/json; charset=utf-8');
      return answer;
    },
  });
}

/** The list of a call as a file for spreadsheets, all its pages. */
export function serveCsv<C extends Call, Query extends z.ZodType | undefined = undefined>(
  app: FastifyInstance,
  call: C,
  { summary, filename, query }: { summary: string; filename: string; query?: Query },
  handle: (input: {
    params: Output<C['params']>;
    query: Output<Query>;
    request: FastifyRequest;
  }) => Promise<Readable>,
): void {
  app.get(
    `${call.path}/export.csv`,
    {
      schema: {
        summary,
        tags: [call.path.split('/')[2] ?? 'api'],
        ...(call.params ? { params: call.params } : {}),
        ...(query ? { querystring: query } : {}),
      },
    },
    async (request, reply) => {
      const params = request.params as Output<C['params']>;
      const file = await handle({ params, query: request.query as Output<Query>, request });
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${filename}"`);
      return file;
    },
  );
}

/** A call that answers with a file. Its refusals are those of any call. */
export function serveFile<C extends Call>(
  app: FastifyInstance,
  call: C,
  handle: (input: {
    params: Output<C['params']>;
    query: Output<C['query']>;
    request: FastifyRequest;
  }) => Promise<{ type: string; filename: string; body: Readable; headers?: Record<string, string> }>,
): void {
  app.get(
    call.path,
    {
      schema: {
        summary: call.summary,
        tags: [call.path.split('/')[2] ?? 'api'],
        ...(call.params ? { params: call.params } : {}),
        ...(call.query ? { querystring: call.query } : {}),
      },
    },
    async (request, reply) => {
      const [params, query] = [request.params as Output<C['params']>, request.query as Output<C['query']>];
      const { type, filename, body, headers = {} } = await handle({ params, query, request });
      reply.headers(headers).type(type).header('content-disposition', `attachment; filename="${filename}"`);
      return body;
    },
  );
}

export function clientOf(request: FastifyRequest): { address: string; userAgent: string } {
  return { address: request.clientAddress, userAgent: request.headers['user-agent'] ?? '' };
}

const keyShape = /^[\x21-\x7e]{1,200}$/;

/** The client's name for this one submit; null when it sent none, and then the server makes one. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && keyShape.test(key)) return key;
  throw new AppError('invalid_request', 'Idempotency-Key: use 1 to 200 visible ASCII characters.');
}
