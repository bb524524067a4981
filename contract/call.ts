import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** One HTTP call, described once: the server validates and documents with it, the browser is typed by it. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Fastify's spelling, `:name` for a parameter. */
  path: `/api/${string}`;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  answer: z.ZodType;
  /** The refusals this call adds to those that any call may give. */
  refusals: readonly ErrorCode[];
}

type Draft = Omit<Call, 'method' | 'path' | 'refusals'> & Partial<Pick<Call, 'refusals'>>;
type Defined<Method, Path, D> = { method: Method; path: Path } & D &
  (D extends Pick<Call, 'refusals'> ? unknown : { refusals: readonly [] });

/** A call that names no refusals of its own adds none. */
export function defineCall<
  const Method extends Call['method'],
  const Path extends Call['path'],
  const D extends Draft,
>(method: Method, path: Path, draft: D) {
  return { method, path, refusals: [], ...draft } as unknown as Defined<Method, Path, D>;
}

type Part<C extends Call, K extends 'params' | 'query' | 'body'> = C[K] extends z.ZodType
  ? { [P in K]: z.input<C[K]> }
  : unknown;

/** What a caller has to bring. */
export type CallInput<C extends Call> = Part<C, 'params'> & Part<C, 'query'> & Part<C, 'body'>;

/** What a caller gets back when all went well. */
export type CallAnswer<C extends Call> = z.output<C['answer']>;

/** Where a call goes. All that a page needs to make it, when the schemas are too much to load. */
export type CallAddress<C extends Call = Call> = Pick<C, 'method' | 'path'>;

/** `/api/users/resend/:userid` with `{ userid: '7' }` is `/api/users/resend/7`. */
export function pathOf(call: Pick<Call, 'path'>, params: Record<string, string> = {}): string {
  return call.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${call.path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
}
