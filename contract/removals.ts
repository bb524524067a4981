import { z } from 'zod';
import { defineCall } from './call.ts';

/**
 * The way back for an investor who has lost every factor and every recovery code: two operators agree to remove them,
 * and the investor has time to stop it.
 */

/** From the second operator's word until the factors go. */
export const removalWaitDays = 7;
/** Where the link of the letters leads; the token stands behind `#stop=`. */
export const stopRemovalPath = '/stopremoval';

export const stopremoval = defineCall('POST', '/api/users/stopremoval', {
  summary: 'Stop the removal of an account’s second factors, with the link of a letter about it',
  body: z.strictObject({ token: z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'This link is not complete.') }),
  answer: z.object({ message: z.string() }),
  refusals: ['link_wrong', 'already_decided'],
});
