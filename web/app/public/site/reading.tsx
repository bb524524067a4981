import { Outlet, redirectDocument } from 'react-router';
import type { Route } from './+types/reading';

/** Around every page that is only read. `root.tsx` sends them without the app. */
export const handle = { isReading: true } as const;

/** So the app never draws them either: a link that leads here loads the page. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  ({ request }, next) => {
    const { pathname, search } = new URL(request.url);
    // In development an unknown address is answered with the app.
    if (pathname === location.pathname) return next();
    throw redirectDocument(pathname + search);
  },
];

export default function Reading() {
  return <Outlet />;
}
