import { readErrorBody, statusOf } from '@tallystick/contract/errors';
import { z } from 'zod';
import type { Operation, Schema } from './document.ts';

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** A path of our sources, a frame of a stack, a statement: what helps nobody but an attacker. */
const innards =
  /\n\s+at .*:\d+|node_modules|\.(ts|js):\d+:\d+|\b(select|insert into|update|delete from) .*\b(from|values|set|where)\b/i;

const schemas = new WeakMap<Schema, z.ZodType>();

/** The document's own words, read by a library that had no part in writing them. */
function mismatchOf(schema: Schema, value: unknown): string | null {
  const known = schemas.get(schema) ?? z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  schemas.set(schema, known);
  const { error } = known.safeParse(value);
  return error ? z.prettifyError(error).replaceAll('\n', ' ').slice(0, 300) : null;
}

/** Undefined for what is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusalWrongIn({ status, headers, text }: Answer): string | null {
  const error = readErrorBody(jsonOf(text));
  if (!error || statusOf[error.code] !== status)
    return `${status} is not in our shape: ${text.slice(0, 200)}`;
  if (!/^\S.*\.$/s.test(error.message)) return `${status} says no sentence: ${error.message.slice(0, 200)}`;
  if ((status === 429 || status === 503) && !/^\d+$/.test(String(headers['retry-after'])))
    return `${status} without Retry-After`;
  return null;
}

/** What is wrong with an answer; null when nothing is. */
export function wrongIn(operation: Operation, answer: Answer): string | null {
  const { status, text } = answer;
  if (status >= 500 && status !== 503) return `${status}: ${text.slice(0, 200)}`;
  if (!operation.path.startsWith('/api/')) return null;
  const isPage = /html|openapi/.test(String(answer.headers['content-type']));
  if (!isPage && innards.test(text))
    return `${status} shows our innards: ${innards.exec(text)?.[0].slice(0, 200)}`;
  if (status >= 400) {
    const wrong = refusalWrongIn(answer);
    if (wrong) return wrong;
  }
  // Answers that are files are described by no schema, nor are their refusals.
  if (![...operation.answers.values()].some(Boolean)) return null;
  const schema = operation.answers.get(status);
  if (schema === undefined && status !== 421) return `${status} is not among the answers that are documented`;
  const mismatch = schema && mismatchOf(schema, jsonOf(text));
  return mismatch ? `${status} is not what is documented: ${mismatch}` : null;
}
