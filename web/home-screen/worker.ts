/**
 * The service worker: opens the investor's screens where no answer comes. It keeps the shell, which is the same for
 * everybody, and nothing that the server has said of anybody. What a person sees of their figures without a connection is
 * kept by the page (`app/investor/offline`), so no call passes here, let alone one that moves money.
 */
import { kindOf, type Shell } from './worker-rules.ts';

/** Written in front of this file by the build. */
declare const kept: Shell;

interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Installing extends Waiting {
  /** Not in every browser. */
  addRoutes?(rules: { condition: { urlPattern: { pathname: string } }; source: 'network' }[]): Promise<void>;
}

interface Fetching extends Event {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}

interface Worker {
  registration: ServiceWorkerRegistration;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(kind: 'install', listener: (event: Installing) => void): void;
  addEventListener(kind: 'activate', listener: (event: Waiting) => void): void;
  addEventListener(kind: 'fetch', listener: (event: Fetching) => void): void;
}

const worker = self as unknown as Worker;

/** A line that swallows everything is as good as none; the shell then asks again for its figures. */
const patienceMs = 4_000;
const anyEncoding = { ignoreVary: true };

worker.addEventListener('install', (event) => {
  const rules = kept.passed.map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: 'network' as const,
  }));
  // Where it is not understood, those requests are looked at below and let go.
  event.waitUntil(Promise.resolve(event.addRoutes?.(rules)).catch(() => {}));
  event.waitUntil(keepShell().then(() => worker.skipWaiting()));
});

/** Whole or not at all: the page and all files of one build, or the worker before this one stays. */
async function keepShell(): Promise<void> {
  const cache = await caches.open(kept.cache);
  try {
    await Promise.all([keepPage(cache), ...kept.files.map((file) => keepFile(cache, file))]);
  } catch (error) {
    await caches.delete(kept.cache);
    throw error;
  }
}

async function keepPage(cache: Cache): Promise<void> {
  const page = await asked(kept.page, { cache: 'no-store' });
  // While servers are replaced one by one, the next may still have the build before.
  if (!(await page.clone().text()).includes(kept.mark)) throw new Error('The page is of another build.');
  await cache.put(kept.page, page);
}

/** A name with a hash means the same bytes, whichever build brought them. */
async function keepFile(cache: Cache, file: string): Promise<void> {
  await cache.put(file, (await caches.match(file, anyEncoding)) ?? (await askedFile(file)));
}

/** A file is never asked for again, so a page that something on the way sends in its place must not be kept. */
async function askedFile(file: string): Promise<Response> {
  const answer = await asked(file);
  if (answer.redirected || /html/.test(answer.headers.get('content-type') ?? 'html')) {
    throw new Error(`${file} answered with a page`);
  }
  return answer;
}

async function asked(address: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(address, init);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer;
}

const takesRoutes = () =>
  'addRoutes' in ((self as { InstallEvent?: { prototype: object } }).InstallEvent?.prototype ?? {});

worker.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});

async function takeOver(): Promise<void> {
  for (const name of await caches.keys()) if (name !== kept.cache) await caches.delete(name);
  // A page is asked for while the worker is still starting, so that nobody waits for it. Where the browser cannot be told
  // what goes past the worker, it would ask for all of that twice, calls that are opened as files included.
  const { navigationPreload } = worker.registration;
  await (takesRoutes() ? navigationPreload?.enable() : navigationPreload?.disable());
  await worker.clients.claim();
}

worker.addEventListener('fetch', (event) => {
  const kind = kindOf(event.request, kept, location.origin);
  if (kind === 'screen') event.respondWith(openScreen(event));
  if (kind === 'file') event.respondWith(readFile(event.request));
});

/**
 * The server's page wherever it comes: a new build is never hidden by an old one that is kept here. A 5xx is the page of
 * something before the server. It is nobody's screen: the kept one is shown, whose calls meet the same and say so.
 */
async function openScreen({ request, preloadResponse }: Fetching): Promise<Response> {
  const fresh = Promise.resolve(preloadResponse).then((answer) => answer ?? fetch(request));
  const late = new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null));
  const first = await Promise.race([fresh.catch(() => null), late]);
  if (first && first.status < 500) return first;
  return (await caches.match(kept.page, anyEncoding)) ?? first ?? fresh;
}

async function readFile(request: Request): Promise<Response> {
  return (await caches.match(new URL(request.url).pathname, anyEncoding)) ?? fetch(request);
}
