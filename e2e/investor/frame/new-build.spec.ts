import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createPages } from '../../../server/platform/http/pages.ts';
import { makeWorker, makeWorkerOff } from '../../../web/home-screen/make.ts';
import { publish } from '../../../web/publish.ts';

/** The worker as it is built and the pages as they are served, of a site as small as one can be. */

test.use({ serviceWorkers: 'allow' });

let folder: string;
let site: FastifyInstance;
let port = 0;

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallystick-builds-'));
});
test.afterEach(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

/** A build of its own, published over the one before as `npm run build` does. */
async function build(name: string): Promise<void> {
  const root = join(folder, 'next');
  mkdirSync(join(root, 'assets'), { recursive: true });
  mkdirSync(join(root, 'dashboard'));
  const html = `<!doctype html><title>${name}</title><script type="module" src="/assets/manifest-${name}.js"></script>`;
  for (const page of ['__spa-fallback.html', 'dashboard/index.html']) writeFileSync(join(root, page), html);
  writeFileSync(
    join(root, `assets/manifest-${name}.js`),
    `document.documentElement.dataset.drawn = '${name}'`,
  );
  writeFileSync(join(root, `assets/later-${name}.js`), `export const name = '${name}'`);
  writeFileSync(join(root, 'assets/always-1.js'), '');
  writeFileSync(join(root, 'sw.js'), await workerOf(name));
  publish({ from: root, to: join(folder, 'client') });
}

const workerOf = (name: string) =>
  makeWorker({
    cache: `shell-${name}`,
    page: '/dashboard',
    mark: `/assets/manifest-${name}.js`,
    screens: ['/dashboard', '/transaction'],
    files: [`/assets/manifest-${name}.js`, '/assets/always-1.js'],
    passed: ['/api/*'],
  });

/** The server is started anew on what is published, behind what may answer in its place. */
async function serve(before?: (request: FastifyRequest, reply: FastifyReply) => unknown): Promise<void> {
  await site?.close();
  site = Fastify({ forceCloseConnections: true });
  if (before) site.addHook('onRequest', async (request, reply) => before(request, reply));
  const appPaths = ['/dashboard', '/transaction'];
  const pages = createPages({
    dir: join(folder, 'client'),
    demo: false,
    siteUrl: 'https://x.example',
    appPaths,
  });
  await site.register(pages.routes);
  await site.listen({ port, host: '127.0.0.1' });
  port = (site.server.address() as { port: number }).port;
}

async function register(page: Page): Promise<void> {
  await page.goto(`http://127.0.0.1:${port}/dashboard`);
  await page.evaluate(() => navigator.serviceWorker.register('/sw.js').then(() => {}));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** As the browser does by itself when a page is opened; answers when what came of it is settled. */
const update = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update().catch(() => {});
    const { installing } = registration;
    await new Promise<void>((settled) => {
      if (!installing) return settled();
      const look = () => ['activated', 'redundant'].includes(installing.state) && settled();
      installing.addEventListener('statechange', look);
      look();
    });
  });

const kept = (page: Page) => page.evaluate(() => caches.keys());
const drawn = (page: Page) =>
  page.evaluate(() => `${document.title} ${document.documentElement.dataset.drawn}`);

async function reloadOffline(context: BrowserContext, page: Page): Promise<string> {
  await context.setOffline(true);
  await page.goto(`http://127.0.0.1:${port}/dashboard`);
  await page.waitForFunction(() => document.documentElement.dataset.drawn);
  await context.setOffline(false);
  return drawn(page);
}

test('a new build takes over whole: never its page with files of another, nor the other way round', async ({
  page,
  context,
}) => {
  await build('one');
  await serve();
  await register(page);
  expect(await kept(page)).toEqual(['shell-one']);
  expect(await reloadOffline(context, page)).toBe('one one');

  // Servers are replaced one by one: this one has the next worker, and its pages are still those of before.
  cpSync(join(folder, 'client'), join(folder, 'before'), { recursive: true });
  writeFileSync(join(folder, 'client/sw.js'), await workerOf('two'));
  await serve();
  await update(page);
  expect(await kept(page)).toEqual(['shell-one']);
  expect(await reloadOffline(context, page)).toBe('one one');

  await build('two');
  await serve();
  // A tab of the build before: it is taken over, and still gets what it names.
  await update(page);
  expect(await kept(page)).toEqual(['shell-two']);
  const later = '/assets/later-one.js';
  expect(await page.evaluate(async (address) => (await import(address)).name, later)).toBe('one');
  expect(await reloadOffline(context, page)).toBe('two two');
  await page.goto(`http://127.0.0.1:${port}/transaction`);
  expect(await drawn(page)).toBe('two two');

  // Online, what the server has is what is shown, at once and before any worker has changed.
  await build('three');
  await serve();
  await page.reload();
  expect(await drawn(page)).toBe('three three');

  await site.close();
  await page.goto(`http://127.0.0.1:${port}/transaction`);
  expect(await drawn(page)).toMatch(/^(two two|three three)$/);
});

test('a page that something on the way sends is never kept for a file, nor shown for a screen when it is an error', async ({
  page,
  context,
}) => {
  await build('one');
  await serve();
  await register(page);
  await build('two');
  await serve(
    ({ url }, reply) => url.startsWith('/assets/manifest-two') && reply.type('text/html').send('Soon back'),
  );
  await update(page);
  expect(await kept(page)).toEqual(['shell-one']);

  await serve(
    ({ url }, reply) => url !== '/sw.js' && reply.status(502).type('text/html').send('Bad gateway'),
  );
  await page.goto(`http://127.0.0.1:${port}/transaction`);
  expect(await drawn(page)).toBe('one one');
  // What is no screen of the worker's is shown as it comes.
  await page.goto(`http://127.0.0.1:${port}/other`);
  await expect(page.locator('body')).toHaveText('Bad gateway');
  expect(await reloadOffline(context, page)).toBe('one one');
});

for (const takesRoutes of [true, false]) {
  test(`what goes past the worker is asked for once, by a browser that ${takesRoutes ? 'can' : 'cannot'} be told so`, async ({
    page,
  }) => {
    await build('one');
    const script = await workerOf('one');
    const untold = 'delete InstallEvent.prototype.addRoutes;';
    writeFileSync(join(folder, 'client/sw.js'), takesRoutes ? script : untold + script);
    let count = 0;
    await serve(({ url }, reply) => {
      if (!url.startsWith('/api/')) return;
      count += 1;
      return reply.type('text/plain').send('a file');
    });
    await register(page);
    await page.goto(`http://127.0.0.1:${port}/api/entries.csv`);
    await page.goto(`http://127.0.0.1:${port}/dashboard`);
    expect(count).toBe(1);
  });
}

test('the worker that ends itself leaves nothing behind', async ({ page }) => {
  await build('one');
  await serve();
  await register(page);
  writeFileSync(join(folder, 'client/sw.js'), await makeWorkerOff());
  await serve();
  await update(page);
  await expect.poll(() => kept(page)).toEqual([]);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await page.reload();
  expect(await drawn(page)).toBe('one one');
});
