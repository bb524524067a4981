import type { CallAnswer } from '@tallystick/contract/call';
import type { me } from '@tallystick/contract/operator/session';
import { createContext, useContext } from 'react';

export type Who = CallAnswer<typeof me>;

export const WhoContext = createContext<Who | null>(null);

/** Who is signed in. Only screens inside the console's layout ask. */
export function useWho(): Who {
  const who = useContext(WhoContext);
  if (!who) throw new Error('Nobody is signed in to the console here.');
  return who;
}
