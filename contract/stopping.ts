import { z } from 'zod';

/**
 * A letter that tells of a change which may be somebody else's doing has a link that stops it: nobody has to sign in,
 * because whoever is signed in may be the thief. The link leads to one page, where a press acts: mail programs open links
 * by themselves. What it stops, and the token, stand behind the `#`, where no server and no log sees them.
 */

/** A new address, the end of protection, the removal of second factors. */
export const stoppable = ['address', 'protection', 'removal'] as const;
export type Stoppable = (typeof stoppable)[number];

export const stopLinkPath = '/stopchange';

export const StopToken = z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'This link is not complete.');
