import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';

/** TypeScript does not know yet that a reviver is also told how a value was written. */
type Reviver = (name: string, value: unknown) => unknown;

/** As many digits as a float holds exactly, and the cents of an amount. */
const plainNumber = /^-?(0|[1-9]\d{0,12})(\.\d{1,2})?$/;

/**
 * A flat object whose numbers are all plain and whose texts are all written out, as nearly every body is: it need not be
 * read a second time to tell. What is not JSON at all was refused before.
 */
const plainBody =
  /^\{(?:[^"\d\-{}[\]\ufeff]|"(?:[^"\\]|\\[^u])*"|-?(?:0|[1-9]\d{0,12})(?:\.\d{1,2})?(?![\d.eE]))*\}$/s;

/** Half a character, which only an escape can make: no database takes it as text. */
function refuseHalfCharacter(text: string): void {
  if (!text.isWellFormed()) throw new AppError('invalid_request', 'The body has half a character in it.');
}

/** By its text, not its value: `1e3`, `250.000` and twenty decimals have values that look harmless. */
function refuseOdd(name: string, value: unknown, { source }: { source?: string }): unknown {
  refuseHalfCharacter(name);
  if (typeof value === 'string') refuseHalfCharacter(value);
  if (typeof value === 'number' && !plainNumber.test(source ?? '')) {
    const field = /^\w{1,60}$/.test(name) ? `${name}: ` : '';
    throw new AppError(
      'invalid_request',
      `${field}Write a number in plain digits with at most two decimals, like 250 or 250.50.`,
    );
  }
  return value;
}

/** Reads bodies as Fastify does, poisoned objects refused, and looks at how their numbers and texts are written. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) =>
    parse(request, text, (error, body) => {
      if (error) return done(error);
      try {
        if (!plainBody.test(text)) JSON.parse(text, refuseOdd as Reviver);
        done(null, body);
      } catch (error) {
        // What our own reading stumbles over, a byte order mark or endless nesting, is no body that anyone means.
        done(
          error instanceof AppError ? error : new AppError('invalid_request', 'The body is not valid JSON.'),
        );
      }
    }),
  );
}
