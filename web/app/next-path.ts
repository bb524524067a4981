import { siteMap } from '@tallystick/contract/site';

export const consoleLoginPath = '/operator/login';

const homes = { investor: '/dashboard', operator: '/operator' } as const;

/** The sign-in page that leads back to where the reader was. The console's leads to its queue by itself. */
export function loginPathFrom(where: string): string {
  if (where === homes.operator) return consoleLoginPath;
  const login = where.startsWith(homes.operator) ? consoleLoginPath : '/login';
  return `${login}?${new URLSearchParams({ next: where })}`;
}

/**
 * Where a sign-in leads. `next` comes from the address bar, so anyone may have written it: only a screen of the same
 * area on this very site is accepted.
 */
export function safeNextPath(next: string | null, area: keyof typeof homes): string {
  const home = homes[area];
  if (!next || !/^\/[^/\\]/.test(next)) return home;
  const base = 'https://here.invalid';
  const url = URL.parse(next, base);
  if (url?.origin !== base || url.pathname === consoleLoginPath) return home;
  const isScreen = Object.keys(siteMap[area]).some((path) => patternOf(path).test(url.pathname));
  return isScreen ? url.pathname + url.search + url.hash : home;
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[0-9A-Za-z-]+')}$`);
