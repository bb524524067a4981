import { readPage } from '../api.ts';

/**
 * A finger or a pointer that comes near a link is likely to follow it: what the page behind it names in its head, the
 * scripts of the app, is fetched meanwhile.
 */
const asked = new Set<string>([location.pathname]);

async function fetchAhead(event: Event): Promise<void> {
  const link = (event.target as Element).closest?.<HTMLAnchorElement>('a[href^="/"]:not([target])');
  if (!link || asked.has(link.pathname)) return;
  asked.add(link.pathname);
  const page = new DOMParser().parseFromString(await readPage(link.pathname), 'text/html');
  for (const script of page.querySelectorAll<HTMLLinkElement>('link:is([rel=modulepreload], [rel=later])')) {
    script.rel = 'modulepreload';
    document.head.append(script);
  }
}

for (const sign of ['pointerover', 'touchstart', 'focusin']) {
  // Nobody has asked for the page yet, so nobody needs to hear that it is not there.
  document.addEventListener(sign, (event) => void fetchAhead(event).catch(() => {}), { passive: true });
}
