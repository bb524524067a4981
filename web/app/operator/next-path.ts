import { operatorPaths } from '@tallystick/contract/site';

export const queuePath = '/operator';
export const loginPath = '/operator/login';

/** The sign-in page that leads back to where the operator was. */
export function loginPathFrom(where: string): string {
  return where === queuePath ? loginPath : `${loginPath}?${new URLSearchParams({ next: where })}`;
}

/** Where a sign-in leads. Anyone may have written `next`: only a screen of the console on this very site counts. */
export function safeNextPath(next: string | null): string {
  if (!next || !/^\/[^/\\]/.test(next)) return queuePath;
  const base = 'https://here.invalid';
  const url = URL.parse(next, base);
  if (url?.origin !== base || url.pathname === loginPath || !isOfConsole(url.pathname)) return queuePath;
  return url.pathname + url.search + url.hash;
}

function isOfConsole(pathname: string): boolean {
  return operatorPaths.some((path) =>
    new RegExp(`^${path.replace(/:\w+/g, '[0-9A-Za-z-]+')}$`).test(pathname),
  );
}
