import { defineCall } from '../call.ts';
import type { ErrorCode } from '../errors.ts';
import { onOne } from './fields.ts';

export const decided = ['not_found', 'already_decided', 'key_reused'] as const;

const agreed = [...decided, 'second_operator_needed'] as const;

/** The things that wait for a second operator are agreed to, or dropped, in the same way. */
export const secondOperator = <const Path extends string>(
  path: Path,
  what: string,
  refusals: readonly ErrorCode[] = [],
) => ({
  confirm: defineCall('POST', `/api/operator/${path}/:id/confirm`, {
    ...onOne,
    summary: `Agree, as the second operator, to ${what}`,
    refusals: [...agreed, ...refusals],
  }),
  discard: defineCall('POST', `/api/operator/${path}/:id/discard`, {
    ...onOne,
    summary: `Drop ${what}`,
    refusals: decided,
  }),
});
