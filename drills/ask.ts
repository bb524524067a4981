import { randomUUID } from 'node:crypto';
import { type Call, type CallAnswer, type CallInput, pathOf } from '@tallystick/contract/call';
import { readErrorBody, statusOf } from '@tallystick/contract/errors';
import { type Connection, createConnection } from '../bench/load/connection.ts';
import { keyMark, requestText } from '../bench/load/load.ts';

/** What came of a request: an answer, or nothing that says what has happened. */
export type Outcome =
  | { status: number; head: string; text: string; body: unknown; ms: number }
  | { status: 0; why: string; ms: number };

/** The longest that any answer may take: a statement's own limit, the driver's beyond it, and a way to a connection. */
export const answerMsMax = 50_000;

interface How {
  bearer?: string | undefined;
  cookie?: string | undefined;
  key?: string | undefined;
  /** Instead of the asker's own address: a proxy asks for many over one connection. */
  from?: string;
}

export interface Asker {
  ask<C extends Call>(call: C, how: How & CallInput<C>): Promise<Outcome>;
  /** From now on at another address. */
  moveTo(address: string): void;
  close(): void;
}

/** Someone at an address of their own, who keeps a connection as browsers do, and takes another when it breaks. */
export function createAsker(port: () => number, from: string, msMax = answerMsMax): Asker {
  let address = from;
  let connection: Connection | null = null;
  const drop = () => {
    connection?.close();
    connection = null;
  };
  return {
    async ask(call, { bearer, cookie, key = randomUUID(), from: whom = address, ...input }) {
      const { params, query, body } = input as {
        params?: Record<string, string>;
        query?: object;
        body?: object;
      };
      const path = `${pathOf(call, params)}${query ? `?${new URLSearchParams(Object.entries(query))}` : ''}`;
      const headers = {
        'x-forwarded-for': whom,
        ...(cookie && { cookie, 'sec-fetch-site': 'same-origin' }),
      };
      const sent = call.method === 'GET' ? undefined : (body ?? {});
      const request = requestText({
        method: call.method,
        path,
        headers,
        ...(bearer && { bearer }),
        ...(sent && { body: sent }),
      });
      const began = performance.now();
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(new Error(tooLate)), msMax);
      try {
        connection ??= createConnection(port());
        const answer = await Promise.race([connection.ask(request.replace(keyMark, key)), late.promise]);
        const outcome = readAnswer(answer, performance.now() - began);
        // A proxy that has nobody to ask says so and hangs up: the next question would be one without an answer.
        if ('head' in outcome && /^connection: close/im.test(outcome.head)) drop();
        return outcome;
      } catch (error) {
        drop();
        return { status: 0, why: (error as Error).message, ms: performance.now() - began };
      } finally {
        clearTimeout(timer);
      }
    },
    moveTo(next) {
      address = next;
      drop();
    },
    close: drop,
  };
}

export const tooLate = 'no answer in time';

function readAnswer(answer: string, ms: number): Outcome {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const text = rest.join('\r\n\r\n');
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // Told by whoever looks at it.
  }
  return { status: Number(head.split(' ')[1]), head, text, body, ms };
}

/** What a call answered that was done; null when it was not. */
export const answerOf = <C extends Call>(_call: C, outcome: Outcome): CallAnswer<C> | null =>
  outcome.status === 200 && 'body' in outcome ? (outcome.body as CallAnswer<C>) : null;

export const codeOf = (outcome: Outcome) =>
  'body' in outcome ? (readErrorBody(outcome.body)?.code ?? null) : null;

/** The cookies that an answer sets, as they are sent back. */
export const cookiesOf = ({ head }: { head: string }) =>
  [...head.matchAll(/^set-cookie: ([^;\r\n]+)/gim)].map(([, pair]) => pair).join('; ');

const innards = /\n\s+at |node_modules|\.ts:\d+|\bError: /;

/** Why an answer is none that a person should get; null when it is clean. Having none is not unclean: lines break. */
export function uncleanness(outcome: Outcome): string | null {
  if (outcome.status === 0) return 'why' in outcome && outcome.why === tooLate ? tooLate : null;
  if (!('text' in outcome)) return null;
  const { status, text, head, body } = outcome;
  if (innards.test(text)) return `${status} shows our innards: ${text.slice(0, 200)}`;
  if (status === 200) return body === null ? `200 without JSON: ${text.slice(0, 200)}` : null;
  const error = readErrorBody(body);
  if (!error || statusOf[error.code] !== status)
    return `${status} is not in our shape: ${text.slice(0, 200)}`;
  if (status >= 500 && status !== 503) return `${status} ${error.code}`;
  if ((status === 503 || status === 429) && !/^retry-after: \d+/im.test(head))
    return `${status} without Retry-After`;
  return null;
}
