/** How the server's process ends. A service manager has to know whether to start it again; docs/operations.md lists them. */
export const exitCodes = {
  /** It was told to. */
  ended: 0,
  /** Nobody foresaw it, it did not end in time, or what it stands on is lost: starting again may help. */
  failed: 1,
  /** What it needs is not there just now: starting again helps as soon as that is. (EX_TEMPFAIL) */
  notNow: 75,
  /** Somebody has to change something first: starting again finds the same. (EX_CONFIG) */
  refused: 78,
} as const;

/** Why there is no start before somebody has changed something, in a sentence for that person. */
export class StartRefusal extends Error {}

/** Why there is no start just now; it may have passed by itself in a minute. */
export class NotNow extends Error {}

/** What a variable, or the file that it names, is refused for is told with its name. */
export function refusing<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new StartRefusal(`${name}: ${(error as Error).message}`);
  }
}
