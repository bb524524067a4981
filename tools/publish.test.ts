import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPages } from '../server/platform/http/pages.ts';
import { publish } from '../web/publish.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'tallystick-publishing-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const dayMs = 24 * 60 * 60 * 1000;
const start = new Date('2026-11-15T12:00:00Z');
const onDay = (day: number) => new Date(start.getTime() + day * dayMs);

/** A build of two pages and one script, whose name changes with what it says. */
async function build(word: string, day: number, pages = ['index.html', 'old/index.html']): Promise<void> {
  const [from, to] = [path.join(dir, 'next'), path.join(dir, 'client')];
  const files = { 'assets/fixed.js': 'fixed', [`assets/app-${word}.js`]: word, '__spa-fallback.html': word };
  for (const page of pages) files[page] = `<script src="/assets/app-${word}.js"></script>`;
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(from, name)), { recursive: true });
    writeFileSync(path.join(from, name), text);
    utimesSync(path.join(from, name), onDay(day), onDay(day));
  }
  publish({ from, to, now: onDay(day) });
}

async function serve(): Promise<FastifyInstance> {
  const app = Fastify();
  const pages = createPages({ dir: path.join(dir, 'client'), demo: false, siteUrl: '', appPaths: [] });
  await app.register(pages.routes);
  return app;
}

async function scriptOfThePage(app: FastifyInstance): Promise<[number, string]> {
  const [, address = ''] = /src="([^"]*)"/.exec((await app.inject('/')).body) ?? [];
  const { statusCode, body } = await app.inject(address);
  return [statusCode, body];
}

it('a running server goes on serving what its pages name after a build, and a new one serves the new', async () => {
  await build('one', 0);
  const running = await serve();
  await build('two', 1);
  expect(await scriptOfThePage(running)).toEqual([200, 'one']);
  expect(await scriptOfThePage(await serve())).toEqual([200, 'two']);
});

it('however old its build was, what a build replaces is kept for a week, and no longer', async () => {
  await build('one', 0);
  const running = await serve();
  await build('two', 100);
  await build('three', 106);
  expect(await scriptOfThePage(running)).toEqual([200, 'one']);
  await build('four', 108);
  expect((await scriptOfThePage(running))[0]).toBe(404);
  const assets = await readdir(path.join(dir, 'client/assets'));
  expect(assets.sort()).toEqual(['app-four.js', 'app-three.js', 'app-two.js', 'fixed.js']);
});

it('a page that a build no longer has is gone, and the build leaves nothing behind', async () => {
  await build('one', 0);
  await build('two', 1, ['index.html']);
  expect((await (await serve()).inject('/old')).statusCode).toBe(404);
  expect(existsSync(path.join(dir, 'next'))).toBe(false);
});

it('a build by hand is not taken for one of the sources that were built before it', async () => {
  const stamp = path.join(dir, '.sources');
  await build('one', 0);
  writeFileSync(stamp, 'the sources of one');
  await build('two', 1);
  expect(existsSync(stamp)).toBe(false);
});
