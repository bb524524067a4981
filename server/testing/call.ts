import { globSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Call, type CallAnswer, pathOf } from '@tallystick/contract/call';
import { type ErrorCode, type FactorWay, readErrorBody, statusOf } from '@tallystick/contract/errors';
import type { LightMyRequestResponse } from 'fastify';
import type { z } from 'zod';
import type { TestApp } from './start-app.ts';

type Cookies = Record<string, string>;

interface Sending {
  token?: string | undefined;
  cookies?: Cookies | undefined;
  headers?: Record<string, string> | undefined;
  /** Where the request seems to come from; each person of a test has an address of their own. */
  from?: string | undefined;
}

/** As a page of our own site says of itself. */
export const ownPage = { 'sec-fetch-site': 'same-origin' };

/** Any request at all, as a client outside a browser would send it: for what the contract does not allow. */
export function send(
  test: TestApp,
  method: Call['method'],
  url: string,
  body?: object,
  { token, cookies, headers, from }: Sending = {},
): Promise<LightMyRequestResponse> {
  return test.app.inject({
    method,
    url,
    ...(body && { payload: body }),
    ...(cookies && { cookies }),
    ...(from && { remoteAddress: from }),
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
  });
}

const cookiesOf = (answer: LightMyRequestResponse): Cookies =>
  Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));

/** What a schema asks for; it may be left out when nothing of it has to be there. */
type Given<C extends Call, K extends 'params' | 'query' | 'body'> = C[K] extends z.ZodType
  ? object extends z.input<C[K]>
    ? { [P in K]?: z.input<C[K]> }
    : { [P in K]: z.input<C[K]> }
  : unknown;

interface How extends Omit<Sending, 'token'> {
  /** An investor, who shows the token, or an operator, whose page sends the cookies. */
  as?: { token?: string; cookies?: Cookies } | undefined;
  /** The Idempotency-Key. */
  key?: string | undefined;
}

export type Asking<C extends Call> = Given<C, 'params'> & Given<C, 'query'> & Given<C, 'body'> & How;
type Asked<C extends Call> = object extends Asking<C> ? [asking?: Asking<C>] : [asking: Asking<C>];

interface Parts {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
}

/** What any call may be refused with, besides its own refusals. */
const refusalsOfAny = [
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  'unauthenticated',
  'cross_site',
  'too_many_requests',
  'busy',
] as const satisfies ErrorCode[];

interface Told {
  status: number;
  headers: LightMyRequestResponse['headers'];
  cookies: Cookies;
  /** The same with all that a browser is told of each. */
  setCookies: LightMyRequestResponse['cookies'];
  /** To the letter. */
  text: string;
}

interface Done<C extends Call> extends Told {
  code: 'done';
  answer: CallAnswer<C>;
}

export interface Refused<C extends Call> extends Told {
  code: C['refusals'][number] | (typeof refusalsOfAny)[number];
  message: string;
  userid?: string | undefined;
  ways?: FactorWay[] | undefined;
}

export type Reply<C extends Call> = Done<C> | Refused<C>;

/** What the contract says, all of it and nothing beside: streamed answers are sent as they are, past the schema. */
function answerFrom<C extends Call>(call: C, text: string): CallAnswer<C> {
  const sent: unknown = JSON.parse(text);
  const read = call.answer.safeParse(sent);
  if (read.success && isDeepStrictEqual(read.data, sent)) return read.data as CallAnswer<C>;
  const why = read.success ? 'The schema reads it as something else.' : read.error.message;
  throw new Error(`Not in the contract: ${call.path} answered ${text.slice(0, 1_000)}. ${why}`);
}

/** Makes a call as the contract has it and tells how it ended. What the contract does not know is an error. */
export async function tryCall<C extends Call>(
  test: TestApp,
  call: C,
  ...[asking]: Asked<C>
): Promise<Reply<C>> {
  const { params, query, body, as, key, cookies, headers, from } = (asking ?? {}) as How & Parts;
  const url = `${pathOf(call, params)}${query ? `?${new URLSearchParams(query)}` : ''}`;
  const isOfConsole = call.path.startsWith('/api/operator/');
  const response = await send(test, call.method, url, body, {
    token: as?.token,
    cookies: as && !as.token ? { ...as.cookies, ...cookies } : cookies,
    headers: { ...(isOfConsole && ownPage), ...(key && { 'idempotency-key': key }), ...headers },
    from,
  });
  const told = {
    status: response.statusCode,
    headers: response.headers,
    cookies: cookiesOf(response),
    setCookies: response.cookies,
  };
  if (response.statusCode === 200)
    return { ...told, text: response.body, code: 'done', answer: answerFrom(call, response.body) };
  const refused = readErrorBody(response.json());
  const known: readonly ErrorCode[] = [...refusalsOfAny, ...call.refusals];
  if (!refused || !known.includes(refused.code) || statusOf[refused.code] !== response.statusCode)
    throw new Error(`Not in the contract: ${call.path} answered ${response.statusCode}, ${response.body}`);
  return { ...told, text: response.body, ...refused, code: refused.code as Refused<C>['code'] };
}

/** The answer of a call that was done. */
export function answerOf<C extends Call>(reply: Reply<C>): CallAnswer<C> {
  if (reply.code === 'done') return (reply as Done<C>).answer;
  throw new Error(`refused with ${reply.status}, ${reply.text}`);
}

/** Makes a call that has to be done. */
export async function call<C extends Call>(
  test: TestApp,
  call: C,
  ...asked: Asked<C>
): Promise<CallAnswer<C>> {
  return answerOf(await tryCall(test, call, ...asked));
}

/** Makes a call that has to be refused. */
export async function refusal<C extends Call>(
  test: TestApp,
  call: C,
  ...asked: Asked<C>
): Promise<Refused<C>> {
  const reply = await tryCall(test, call, ...asked);
  if (reply.code !== 'done') return reply as Refused<C>;
  throw new Error(`${call.path} was not refused: ${reply.text}`);
}

const isCall = (value: unknown): value is Call => 'path' in Object(value) && 'answer' in Object(value);

/** What a file of the contract describes; calls that wait for a second operator come in pairs. */
export const callsOf = (module: object): Call[] =>
  Object.values(module).flatMap((value) =>
    isCall(value) ? [value] : Object.values(Object(value)).filter(isCall),
  );

export async function everyCall(): Promise<Call[]> {
  const cwd = join(import.meta.dirname, '..', '..', 'contract');
  const files = globSync('{,operator/}*.ts', { cwd, exclude: ['**/*.test.ts'] });
  const modules: object[] = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ join(cwd, file))),
  );
  return modules.flatMap(callsOf);
}
