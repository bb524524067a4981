import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Letter } from '../modules/mail/rules.ts';
import { productionEnv } from '../testing/production.ts';
import { startTestApp } from '../testing/start-app.ts';
import { lettersRoutes } from './letters-routes.ts';
import { letterSite } from './sample-letters.ts';
import { uiRoutes } from './ui-routes.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  await app.register(lettersRoutes(letterSite));
});
afterAll(() => app.close());

describe('the page of all letters', () => {
  it.each(Letter.options.map(({ shape }) => shape.kind.value))('shows %s', async (kind) => {
    expect((await app.inject('/dev/letters')).body).toContain(`href="/dev/letters/${kind}"`);
    const page = await app.inject(`/dev/letters/${kind}`);
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('<pre')]);
    const letter = await app.inject(`/dev/letters/${kind}/html`);
    expect([letter.statusCode, letter.body]).toEqual([200, expect.stringContaining('<base target="_top">')]);
    expect(letter.headers['content-security-policy']).toContain('sandbox');
  });

  it('knows no others', async () => {
    expect((await app.inject('/dev/letters/none')).statusCode).toBe(404);
    expect((await app.inject('/dev/letters/none/html')).statusCode).toBe(404);
  });
});

it('the pieces of the user interface are shown where they were built, and are no hindrance where not', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tallystick-ui-'));
  const without = Fastify();
  await without.register(uiRoutes(dir));
  expect((await without.inject('/dev/ui')).statusCode).toBe(404);
  for (const folder of ['stories', 'assets']) await mkdir(join(dir, folder));
  await writeFile(join(dir, 'stories/index.html'), '<h1>Pieces</h1>');
  await writeFile(join(dir, 'assets/a.js'), 'work()');
  const built = Fastify();
  await built.register(uiRoutes(dir));
  const page = await built.inject('/dev/ui');
  expect([page.body, page.headers['content-security-policy']]).toEqual([
    '<h1>Pieces</h1>',
    expect.stringContaining("script-src 'self'"),
  ]);
  expect((await built.inject('/dev/ui/assets/a.js')).body).toBe('work()');
  await rm(dir, { recursive: true });
});

it('a production has no page for developers', async () => {
  const production = await startTestApp(productionEnv);
  const demo = await startTestApp();
  for (const url of [
    '/dev/inbox',
    '/dev/inbox.json',
    '/dev/letters',
    '/dev/letters/reset-code/html',
    '/dev/ui',
  ]) {
    expect((await production.app.inject(url)).statusCode, url).toBe(404);
  }
  expect((await demo.app.inject({ url: '/dev/letters', headers: { host: '127.0.0.1' } })).statusCode).toBe(
    200,
  );
  await production.close();
  await demo.close();
});
