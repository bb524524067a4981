import {
  type Call,
  type CallAddress,
  type CallAnswer,
  type CallInput,
  pathOf,
} from '@tallystick/contract/call';
import { type ErrorBody, type ErrorCode, readErrorBody } from '@tallystick/contract/errors';
import { endSession, readSession } from './storage.ts';
import { createTurns } from './turns.ts';

/** An answer came, and it is no: the server's own refusal, or an error of whatever stands before it. */
export class ApiRefusal extends Error {
  override name = 'ApiRefusal';
  // Declared and not made: each would be some bytes of every page.
  declare readonly status: number;
  declare readonly code: ErrorCode;
  declare readonly userid: string | undefined;
  declare readonly ways: ErrorBody['ways'];
  /** Of a fault of ours, a sentence for support: the log has a line for it, which this much of its name finds. */
  declare readonly reference: string;

  constructor(status: number, { message, ...body }: ErrorBody, reference = '') {
    super(message + reference);
    Object.assign(this, body, { status, reference });
  }
}

/** Nobody is signed in any more. Screens need not report it: their guard is already leading to the sign-in. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof ApiRefusal && error.code === 'unauthenticated';
}

/** No answer came. */
export class ApiUnreachable extends Error {
  override name = 'ApiUnreachable';
}

/** Something answered, but not as this server does: the page of a proxy, for example. */
const notOurs: ErrorBody = {
  code: 'internal',
  message: 'The server answered with an error. Please try again in a moment.',
};

interface Parts {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

interface CallOptions {
  /** A question that only a living session gets an answer to: see `turns.ts`. */
  inTurn?: boolean;
  /** The screen asks by itself, so the request must not keep the session alive. */
  background?: boolean;
  /** A sign-out leaves the page at once, so the request may finish after it, and a session that is over is no news. */
  leaving?: boolean;
  /** Of a money command: the same key with the same values has one effect. */
  idempotencyKey?: string;
}

export async function callApi<C extends Call>(
  call: C | CallAddress<C>,
  input: CallInput<C>,
  options: CallOptions = {},
): Promise<CallAnswer<C>> {
  const ask = () => callApiWithHeaders(call, input, options);
  if (!options.inTurn) return (await ask()).answer;
  const background = options.background ?? false;
  // The console's session is in a cookie that nobody here can look at.
  if (isOfConsole(call)) return (await consoleTurns(ask, background)).answer;
  const token = readSession()?.token;
  const askAsSame = async () => {
    // Whoever asked may have signed out while it waited, or somebody else may have signed in.
    if (!token || readSession()?.token !== token) throw new ApiRefusal(401, nobody);
    return ask();
  };
  return (await investorTurns(askAsSame, background)).answer;
}

const nobody: ErrorBody = { code: 'unauthenticated', message: 'Nobody is signed in.' };
// Pages that are only read are built without them.
const investorTurns = /* @__PURE__ */ createTurns(isSessionOver);
const consoleTurns = /* @__PURE__ */ createTurns(isSessionOver);

/**
 * The only fetch of the web app. It has no time limit, as specified. Some answers say more in their headers, for
 * example how old a price is.
 */
export async function callApiWithHeaders<C extends Call>(
  call: C | CallAddress<C>,
  input: CallInput<C>,
  options: CallOptions = {},
): Promise<{ answer: CallAnswer<C>; headers: Headers }> {
  const response = await askSurely(call, input as Parts, options);
  const answer: unknown = await response.json().catch(() => null);
  if (answer !== null) return { answer: answer as CallAnswer<C>, headers: response.headers };
  throw refusalOf(call, response, answer, options);
}

/** A call that answers with a file, and the name that the server gives it; some say more in their headers. */
export async function fetchFile<C extends Call>(
  call: C | CallAddress<C>,
  input: CallInput<C>,
): Promise<{ file: Blob; name: string; headers: Headers }> {
  const response = await askSurely(call, input as Parts, {});
  const [, name = ''] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  try {
    return { file: await response.blob(), name, headers: response.headers };
  } catch (cause) {
    throw new ApiUnreachable(`The answer of ${call.path} broke off`, { cause });
  }
}

/**
 * A success, or the refusal is thrown. Where the server wants to be sure first who asks, whoever is there is asked, and
 * then the very same request goes once more, with the same key: nothing is lost, and nothing is done twice.
 */
async function askSurely(call: CallAddress, parts: Parts, options: CallOptions): Promise<Response> {
  const response = await ask(call, parts, options);
  if (response.ok) return response;
  const refusal = await readRefusal(call, response, options);
  if (refusal.code !== 'step_up_required' || !(await confirm(refusal.ways ?? []))) throw refusal;
  const again = await ask(call, parts, options);
  if (again.ok) return again;
  throw await readRefusal(call, again, options);
}

type Confirm = (ways: NonNullable<ErrorBody['ways']>) => Promise<boolean>;
const nobodyToAsk: Confirm = async () => false;
let confirm = nobodyToAsk;

/** Whoever shows the investor's area asks who is there, in the ways that the server takes: true once it is content. */
export function onStepUp(ask: Confirm): () => void {
  confirm = ask;
  return () => {
    confirm = nobodyToAsk;
  };
}

function ask(call: CallAddress, { params, query, body }: Parts, options: CallOptions): Promise<Response> {
  const address = pathOf(call, params) + (query ? `?${new URLSearchParams(query)}` : '');
  return send(address, {
    method: call.method,
    headers: headersOf(call, body, options),
    body: body === undefined ? null : JSON.stringify(body),
    credentials: 'same-origin',
    keepalive: options.leaving ?? false,
  });
}

function referenceOf({ code }: ErrorBody, headers: Headers): string {
  const id = code === 'internal' && headers.get('x-request-id');
  return id ? ` Reference ${id.slice(0, 8)}.` : '';
}

async function readRefusal(call: CallAddress, response: Response, options: CallOptions): Promise<ApiRefusal> {
  return refusalOf(call, response, await response.json().catch(() => null), options);
}

function refusalOf(
  call: CallAddress,
  { status, headers }: Response,
  answer: unknown,
  options: CallOptions,
): ApiRefusal {
  const body = readErrorBody(answer) ?? notOurs;
  const refusal = new ApiRefusal(status, body, referenceOf(body, headers));
  if (isSessionOver(refusal) && !options.leaving) {
    if (isOfConsole(call)) tellConsoleEnded();
    else endSession('expired');
  }
  return refusal;
}

/** The console has a session of its own, in a cookie: neither session opens, ends or travels with the other. */
const isOfConsole = (call: CallAddress) => call.path.startsWith('/api/operator/');

function headersOf(call: CallAddress, body: unknown, { background, idempotencyKey }: CallOptions): Headers {
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (background) headers.set('x-background-read', '1');
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey);
  const session = isOfConsole(call) ? null : readSession();
  if (session) headers.set('authorization', `Bearer ${session.token}`);
  return headers;
}

/** A page as the server sends it, for whoever wants to know what it will need. */
export async function readPage(path: string): Promise<string> {
  return (await send(path, {})).text();
}

/** What is open to everybody, as the server sends it: for pages without the app, and for the files of the public log. */
export async function readOpen(address: string): Promise<Response> {
  const response = await send(address, {});
  if (!response.ok) throw new ApiRefusal(response.status, notOurs);
  return response;
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (cause) {
    throw new ApiUnreachable(`No response from ${address}`, { cause });
  }
}

/**
 * The console's session lives in a cookie that no script can read. All that this side learns is the server's word
 * that it is over, which may come with any answer; whoever shows the console listens for it.
 */
const consoleListeners = new Set<() => void>();

function tellConsoleEnded(): void {
  for (const listener of consoleListeners) listener();
}

export function onConsoleEnded(listener: () => void): () => void {
  consoleListeners.add(listener);
  return () => {
    consoleListeners.delete(listener);
  };
}
