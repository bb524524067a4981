import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPages } from './pages.ts';

const html =
  '<html lang="en" data-mode="production"><script>start()</script><script src="/assets/a-1.js"></script></html>';
const script = 'console.info("ready")';
let dir: string;

async function serve(demo: boolean): Promise<FastifyInstance> {
  const app = Fastify();
  const pages = createPages({ dir, demo, siteUrl: 'https://tally.example', appPaths: ['/dashboard'] });
  await app.register(pages.routes);
  app.setNotFoundHandler((request, reply) => pages.sendNotFoundPage(request, reply));
  return app;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tallystick-pages-'));
  await mkdir(join(dir, 'login'));
  await mkdir(join(dir, 'assets'));
  await mkdir(join(dir, '404'));
  await mkdir(join(dir, '.git'));
  await writeFile(join(dir, '.git/HEAD'), 'ref: refs/heads/main');
  await writeFile(join(dir, '.env'), 'MODE=production');
  await writeFile(join(dir, '404/index.html'), '<html lang="en"><h1>Nothing fits</h1></html>');
  for (const name of ['index.html', 'login/index.html', '__spa-fallback.html']) {
    await writeFile(join(dir, name), html);
    await writeFile(join(dir, `${name}.br`), brotliCompressSync(html));
    await writeFile(join(dir, `${name}.gz`), gzipSync(html));
  }
  await writeFile(join(dir, 'favicon.svg'), '<svg/>');
  await writeFile(join(dir, 'sw.js'), script);
  await writeFile(join(dir, 'manifest.webmanifest'), '{}');
  await writeFile(join(dir, 'sitemap.xml'), '<loc>https://site.invalid/login</loc>');
  await writeFile(join(dir, 'assets/a-1.js'), script);
  await writeFile(join(dir, 'assets/a-1.js.br'), brotliCompressSync(script));
});
afterAll(() => rm(dir, { recursive: true }));

describe('the built site', () => {
  it.each([
    ['/', 200],
    ['/login', 200],
    ['/login/', 200],
    ['/dashboard', 200],
    ['/nothing', 404],
    ['/404', 404],
    ['/login/nothing', 404],
    ['/__spa-fallback.html', 404],
    ['/assets/nothing.js', 404],
    ['/..%2f..%2fetc/passwd', 404],
    ['/assets/..%2findex.html', 404],
    ['/.git/HEAD', 404],
    ['/.env', 404],
    ['/assets/', 403],
  ])('answers %s with %i', async (url, status) => {
    const answer = await (await serve(false)).inject(url);
    expect(answer.statusCode).toBe(status);
    expect(answer.body).not.toContain('root:');
  });

  it('answers strays with the page that is built for them', async () => {
    expect((await (await serve(false)).inject('/nothing')).body).toContain('Nothing fits');
  });

  it('allows exactly the inline scripts of the page', async () => {
    const policy = String((await (await serve(false)).inject('/login')).headers['content-security-policy']);
    const hash = createHash('sha256').update('start()').digest('base64');
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
  });

  it('is sent compressed as the browser likes it', async () => {
    const app = await serve(false);
    const page = await app.inject({ url: '/login', headers: { 'accept-encoding': 'gzip, br' } });
    expect(page.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(page.rawPayload).toString()).toBe(html);
    const zipped = await app.inject({ url: '/login', headers: { 'accept-encoding': 'gzip' } });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect((await app.inject('/login')).body).toBe(html);
    const asset = await app.inject({ url: '/assets/a-1.js', headers: { 'accept-encoding': 'br' } });
    expect(brotliDecompressSync(asset.rawPayload).toString()).toBe(script);
  });

  it('is asked for again each time, except hashed assets, which are kept for good', async () => {
    const app = await serve(false);
    const page = await app.inject('/login');
    expect(page.headers['cache-control']).toBe('no-cache');
    const again = await app.inject({
      url: '/login',
      headers: { 'if-none-match': String(page.headers.etag) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await app.inject('/assets/a-1.js')).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    );
  });

  it('has its service worker asked for each time, lets it ask this site alone, and is no page', async () => {
    const app = await serve(false);
    const worker = await app.inject('/sw.js');
    expect([worker.statusCode, worker.body]).toEqual([200, script]);
    expect(worker.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    });
    // Nothing lets it answer for more than its own folder, which is the whole site.
    expect(worker.headers).not.toHaveProperty('service-worker-allowed');
    expect((await app.inject('/sw.js/')).statusCode).toBe(404);
    expect((await app.inject({ method: 'POST', url: '/sw.js' })).statusCode).toBe(404);
    const { headers } = await app.inject('/manifest.webmanifest');
    expect(headers['content-type']).toContain('application/manifest+json');
  });

  it('says in demo mode that it is a demo', async () => {
    const app = await serve(true);
    const page = await app.inject({ url: '/', headers: { 'accept-encoding': 'br' } });
    expect(brotliDecompressSync(page.rawPayload).toString()).toContain('data-mode="demo"');
  });

  it('names its own address where the build could not know it', async () => {
    const app = await serve(false);
    const sitemap = await app.inject({ url: '/sitemap.xml', headers: { 'accept-encoding': 'gzip' } });
    expect(sitemap.headers['content-type']).toContain('application/xml');
    expect(gunzipSync(sitemap.rawPayload).toString()).toBe('<loc>https://tally.example/login</loc>');
  });

  it('takes a form that was sent too early, keeps nothing of it and shows the page again', async () => {
    const answer = await (await serve(false)).inject({
      method: 'POST',
      url: '/login',
      payload: 'email=a%40example.com&password=secret',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([answer.statusCode, answer.headers.location, answer.body]).toEqual([303, '/login', '']);
  });

  it('refuses to start without a build', () => {
    expect(() => createPages({ dir: join(dir, 'assets'), demo: false, siteUrl: '', appPaths: [] })).toThrow(
      /not built/,
    );
  });
});
