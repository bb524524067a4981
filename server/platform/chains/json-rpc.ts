import { z } from 'zod';
import { NodeError } from './node-error.ts';

const defaultTimeLimitMs = 15_000;
/** The largest answer is a full Bitcoin block in hex, 8 MB, or some of Ethereum's with all their transactions. */
const defaultAnswerBytesMax = 64 * 1024 * 1024;
/** Commas and brackets. A few bytes of text become hundreds in memory; ten of the fullest blocks have half as many. */
const partsMax = 3_000_000;
const marks = Buffer.from(',[{');
const heardCharsMax = 10_000;
const saidCharsMax = 200;
/** Providers say so by this number where they do not by the HTTP status. */
const limitExceeded = -32_005;

export interface Call {
  method: string;
  params: unknown[];
}

export interface JsonRpc {
  /** Host and port: all of the address that may be shown. */
  host: string;
  call<T>(method: string, params: unknown[], shape: z.ZodType<T>): Promise<T>;
  /** Several calls in one request; the answers are in the order of the calls. */
  batch<T>(calls: Call[], shape: z.ZodType<T>): Promise<T[]>;
  /** What is wrong with this node, in words that follow its name. */
  fail(trouble: NodeError['trouble'], what: string): NodeError;
}

interface JsonRpcOptions {
  /** May carry a name and a password (`http://user:password@host`), or a key in its path. */
  url: string;
  timeLimitMs?: number;
  answerBytesMax?: number;
  /** From then on nobody waits for an answer. */
  stopping?: AbortSignal | undefined;
}

const Answer = z.object({
  id: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z
    .union([z.string(), z.object({ code: z.number().optional(), message: z.string().optional() })])
    .nullish(),
});
type Answer = z.infer<typeof Answer>;

/**
 * A list that is given up at its first wrong entry, or when it is too long: an answer of nothing else would fill the
 * memory with what is wrong about it.
 */
export const listOf = <T>(shape: z.ZodType<T>, max: number) =>
  z
    .custom<unknown[]>((given) => Array.isArray(given) && given.length <= max, `not a list of up to ${max}`)
    .transform((given, context): T[] => {
      const read: T[] = [];
      for (const each of given) {
        const { success, data, error } = shape.safeParse(each);
        if (!success) {
          const { path = [], message = 'unknown' } = error.issues[0] ?? {};
          context.addIssue({ code: 'custom', path: [read.length, ...path], message });
          return z.NEVER;
        }
        read.push(data);
      }
      return read;
    });

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `fetch` refuses an address with credentials, so they travel in the header that they stand for. */
function split(url: string) {
  const address = URL.parse(url);
  // Not the parser's own error: it has the whole address in it.
  if (!address || !/^https?:$/.test(address.protocol)) throw new Error('The address of a node is not a URL.');
  const written = [address.username, address.password];
  const [user, password] = written.map(unescaped);
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
  if (user || password) {
    headers.authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  }
  address.username = '';
  address.password = '';
  // A key may stand in the path or the query; shorter parts, such as `/v3`, are words.
  const { search, searchParams, pathname } = address;
  const parts = [user, written[0], search.slice(1), ...searchParams.values(), ...pathname.split('/')];
  const keys = parts.filter((key) => key !== undefined && key.length > 3);
  const basic = headers.authorization?.slice('Basic '.length);
  const told = [password, written[1], basic, ...keys].filter(Boolean) as string[];
  // The longest first: one may be part of another.
  const secrets = [...new Set(told.flatMap((key) => [key, unescaped(key)]))].sort(
    (one, other) => other.length - one.length,
  );
  return { address, headers, secrets };
}

/**
 * JSON-RPC over HTTP, as Bitcoin Core, bcoin, Ethereum's nodes and rippled speak it. They differ in how they fail: Core with
 * the HTTP status 500 and a reason, bcoin with 200 and a reason; here both are the same `NodeError`.
 */
export function createJsonRpc(options: JsonRpcOptions): JsonRpc {
  const { timeLimitMs = defaultTimeLimitMs, answerBytesMax = defaultAnswerBytesMax } = options;
  const stopping = options.stopping ?? new AbortController().signal;
  const { address, headers, secrets } = split(options.url);
  const { host } = address;
  const fail = (trouble: NodeError['trouble'], what: string, code: number | null = null) =>
    new NodeError(trouble, `The node at ${host} ${what}`, code);

  /** What a node says is somebody else's text: cut, in one line, and without what may not be shown. */
  function quoted(said: string): string {
    const begun = said.slice(0, heardCharsMax);
    const bare = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), begun);
    return bare.replace(/[^\x21-\x7e…]+/g, ' ').slice(0, saidCharsMax);
  }

  async function textOf(response: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > answerBytesMax) throw fail('nonsense', 'answered with too much.');
      chunks.push(chunk);
    }
    const answer = Buffer.concat(chunks);
    if (hasTooManyParts(answer)) throw fail('nonsense', 'answered with too much.');
    return answer.toString('utf8');
  }

  async function post(body: unknown): Promise<{ status: number; text: string }> {
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(timeLimitMs), stopping]),
      });
      return { status: response.status, text: await textOf(response) };
    } catch (error) {
      if (error instanceof NodeError) throw error;
      if (stopping.aborted) throw fail('away', 'is not waited for: the server stops.');
      const { name, cause } = error as Error & { cause?: { code?: string } };
      if (name === 'TimeoutError') throw fail('away', `did not answer within ${timeLimitMs / 1000} s.`);
      throw fail('away', `cannot be reached${cause?.code ? ` (${cause.code})` : ''}.`);
    }
  }

  async function ask(body: unknown): Promise<unknown> {
    const { status, text } = await post(body);
    if (status === 401 || status === 403) throw fail('refused', 'does not accept our credentials.');
    if (status === 429) throw fail('limited', 'asks for fewer calls.');
    try {
      return JSON.parse(text);
    } catch {
      throw fail(status < 400 ? 'nonsense' : 'away', `answered ${status} with something else than JSON.`);
    }
  }

  function read<T>(method: string, given: unknown, shape: z.ZodType<T>): T {
    const { data: answer } = Answer.safeParse(given);
    if (!answer) throw fail('nonsense', `answered ${method} in no known form.`);
    const refusal = refusalOf(answer);
    if (refusal) {
      const trouble = refusal.code === limitExceeded ? 'limited' : 'refused';
      throw fail(trouble, `refused ${method}: ${quoted(refusal.message)}`, refusal.code);
    }
    const result = shape.safeParse(answer.result);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    throw fail('nonsense', `answered ${method} with nonsense: ${quoted(describe(issue))}`);
  }

  return {
    host,
    fail,

    async call(method, params, shape) {
      return read(method, await ask({ jsonrpc: '2.0', id: 1, method, params }), shape);
    },

    async batch(calls, shape) {
      if (calls.length === 0) return [];
      const [first] = calls;
      const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
      const answers = await ask(requests);
      // A node that refuses the whole batch says so in a single answer, which cannot be anything else.
      if (!Array.isArray(answers)) return [read(first?.method ?? '', answers, z.never())];
      const byId = new Map(answers.map((answer) => [(answer as Answer | null)?.id, answer]));
      return calls.map(({ method }, id) => read(method, byId.get(id), shape));
    },
  };
}

function hasTooManyParts(json: Buffer): boolean {
  if (json.length <= partsMax) return false;
  let parts = 0;
  for (const mark of marks) {
    for (let at = json.indexOf(mark); at !== -1 && parts <= partsMax; at = json.indexOf(mark, at + 1)) {
      parts += 1;
    }
  }
  return parts > partsMax;
}

function refusalOf({ error }: Answer): { message: string; code: number | null } | null {
  if (error === undefined || error === null) return null;
  if (typeof error === 'string') return { message: error, code: null };
  return { message: error.message ?? 'no reason given', code: error.code ?? null };
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  return issue ? [issue.path.join('.'), issue.message].filter(Boolean).join(': ') : 'unknown';
}
