import { investorPaths } from '@tallystick/contract/site';

export const homePath = '/dashboard';

/** The sign-in page that leads back to where the reader was. */
export function loginPathFrom(where: string): string {
  return `/login?${new URLSearchParams({ next: where })}`;
}

/**
 * Where a sign-in leads. `next` comes from the address bar, so anyone may have written it: only a screen of the
 * investor's area on this very site is accepted.
 */
export function safeNextPath(next: string | null): string {
  if (!next || !/^\/[^/\\]/.test(next)) return homePath;
  const base = 'https://here.invalid';
  const url = URL.parse(next, base);
  if (url?.origin !== base || !investorPaths.some((path) => path === url.pathname)) return homePath;
  return url.pathname + url.search + url.hash;
}
