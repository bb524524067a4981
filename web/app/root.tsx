import sansUrl from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url';
import { placeholderOrigin } from '@tallystick/contract/site';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useLocation, useMatches } from 'react-router';
import type { Route } from './+types/root';
import { brand } from './brand.ts';
import { Crash } from './crash.tsx';
import { DemoRibbon } from './domain/page/demo-ribbon.tsx';
import FrameAhead from './investor/frame/ahead.tsx';
import { logFailure } from './log.ts';
import aheadScript from './native/ahead.ts?script';
import headScript from './native/head.ts?script';
import holdScript from './native/hold.ts?script';
import { InlineScript } from './native/inline-script.tsx';
import readingScript from './native/reading.ts?script';
import type { handle as reading } from './public/site/reading.tsx';
import { noteFrame, takeOver } from './taking-over.ts';
import { Spinner } from './ui/facts/spinner.tsx';
import './ui/styles/styles.css';

export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: sansUrl, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
];

export function meta() {
  return [{ title: brand.name }];
}

/** The server rewrites data-mode and data-origin, and the script in <head> adds data-theme and data-session and chooses the theme-color: all before React. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" data-mode="production" data-origin={placeholderOrigin} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          name="theme-color"
          content="#ffffff"
          media="(prefers-color-scheme: light)"
          data-scheme="light"
          suppressHydrationWarning
        />
        <meta
          name="theme-color"
          content="#0a1020"
          media="(prefers-color-scheme: dark)"
          data-scheme="dark"
          suppressHydrationWarning
        />
        <InlineScript text={headScript} />
        <Meta />
        <Links />
      </head>
      <body>
        <a
          href="#main"
          className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-control focus:bg-accent focus:px-4 focus:py-3 focus:text-control focus:font-semibold focus:text-on-accent"
        >
          Skip to content
        </a>
        <DemoRibbon />
        {children}
      </body>
    </html>
  );
}

export default function Root() {
  useEffect(takeOver, []);
  useFocusOnNewPage();
  const isReading = useMatches().some(({ handle }) => (handle as Partial<typeof reading>)?.isReading);
  if (isReading) {
    return (
      <>
        <Outlet />
        <InlineScript text={readingScript} later />
        {import.meta.env.DEV && import.meta.env.SSR && <script type="module" src="/app/native/reload.ts" />}
      </>
    );
  }
  return (
    <App>
      <Outlet />
    </App>
  );
}

/** What a page needs that is more than read: the app, and what holds its place until it has taken over. */
function App({ children }: { children: ReactNode }) {
  return (
    <>
      <InlineScript text={holdScript} />
      {children}
      <ScrollRestoration />
      <Scripts />
    </>
  );
}

/**
 * A new page begins at its top for a screen reader too, or at the place its address names, as it would if the browser
 * had loaded it.
 */
function useFocusOnNewPage() {
  const { pathname, hash } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const named = hash && document.getElementById(hash.slice(1));
    const start = named && named.tabIndex === -1 ? named : document.getElementById('main');
    start?.focus({ preventScroll: true });
  }, [pathname, hash]);
}

/**
 * Shown while the code of a page that is not prerendered arrives. Whoever is signed in to the investor's area sees its frame
 * at once, everybody else nothing, or that it loads; that late, so that a quick arrival shows nothing.
 */
export function HydrateFallback() {
  return (
    <App>
      <LeftAsDrawn>
        <FrameAhead />
      </LeftAsDrawn>
      <InlineScript text={aheadScript} />
      <main className="grid flex-1 place-items-center peer-[:not([hidden])]:hidden">
        <p className="flex animate-late items-center gap-2 text-control text-3 noscript:hidden">
          <Spinner /> Loading
        </p>
        <noscript>
          <p className="wrap">
            {brand.name} needs JavaScript for this page. Please switch it on and load the page again.
          </p>
        </noscript>
      </main>
    </App>
  );
}

/**
 * What only the build draws: the app has no code for it, and leaves it alone until it draws its own in its place. Of a text
 * React does not look at what stands there instead.
 */
function LeftAsDrawn({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const drawn = frame.current;
    return () => noteFrame(drawn);
  }, []);
  return (
    <div ref={frame} data-ahead hidden className="peer contents" suppressHydrationWarning>
      {import.meta.env.SSR ? children : ''}
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  useEffect(() => logFailure('Unexpected Application Error!', error), [error]);
  useEffect(takeOver, []);
  return <Crash error={error} />;
}
