import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { uiRoutes } from './ui-routes.ts';

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
