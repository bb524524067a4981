/** What the build knows of the app: which addresses its shell answers, and every file that the shell is drawn with. */
export interface Shell {
  /** Of this build: another build has another cache. */
  cache: string;
  /** The page that is kept, and answers for every screen. */
  page: string;
  /** A file that only this build's page names. */
  mark: string;
  screens: readonly string[];
  files: readonly string[];
  /** Addresses that the browser need not even ask the worker about. */
  passed: readonly string[];
}

interface Asked {
  method: string;
  mode: string;
  url: string;
}

/**
 * Which of two things a request is: a screen that somebody opens, or a file of the shell. Everything else, each call of the
 * API above all, goes past the worker as if there were none.
 */
export function kindOf({ method, mode, url }: Asked, kept: Shell, origin: string): 'screen' | 'file' | null {
  const address = new URL(url);
  if (method !== 'GET' || address.origin !== origin) return null;
  if (mode === 'navigate') {
    return kept.screens.includes(address.pathname.replace(/(?<=.)\/$/, '')) ? 'screen' : null;
  }
  return kept.files.includes(address.pathname) ? 'file' : null;
}
