import { z } from 'zod';
import { defineCall } from './call.ts';
import { StopToken } from './stopping.ts';

/**
 * The way back for an investor who has lost every factor and every recovery code: two operators agree to remove them,
 * and the investor has time to stop it.
 */

/** From the second operator's word until the factors go. */
export const removalWaitDays = 7;

export const stopremoval = defineCall('POST', '/api/users/stopremoval', {
  summary: 'Stop the removal of an account’s second factors, with the link of a letter about it',
  body: z.strictObject({ token: StopToken }),
  answer: z.object({ message: z.string() }),
  refusals: ['link_wrong', 'already_decided'],
});
