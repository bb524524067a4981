import { greetingOf } from '../domain/greeting.ts';
import { readSession } from '../storage.ts';

/**
 * Runs where the page has the investor's frame as the build has drawn it, before that is seen: shows it to whoever is
 * signed in, with their name and the place they are at. Nobody else sees anything of it: the app leads them elsewhere.
 */
function show(frame: HTMLElement, fullname: string): void {
  const { pathname } = location;
  const isDashboard = /^\/dashboard\/?$/.test(pathname);
  frame.querySelector(`[data-ahead-of=${isDashboard ? 'others' : 'dashboard'}]`)?.remove();
  const greeting = frame.querySelector('h1');
  if (greeting) greeting.textContent = greetingOf(fullname, new Date());
  const name = frame.querySelector('[data-ahead-of=others] b');
  if (fullname) name?.before(', ');
  name?.replaceChildren(fullname);
  for (const link of frame.querySelectorAll<HTMLAnchorElement>('nav a')) {
    if (screenOf(link.pathname) === screenOf(pathname)) link.ariaCurrent = 'page';
  }
  frame.hidden = false;
}

/** The phone's addresses show the same. */
const screenOf = (path: string) => path.replace('/mobile', '/');

const frame = document.querySelector<HTMLElement>('[data-ahead]');
const session = readSession();
if (frame && session && !location.pathname.startsWith('/operator')) show(frame, session.fullname);
