import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { investorPaths, publicPaths } from '@tallystick/contract/site';
import { makeWorker, makeWorkerOff } from './make.ts';
import { manifest } from './manifest.ts';
import { shellFiles } from './shell-files.ts';

const build = join(import.meta.dirname, '../build');
const page = '/dashboard';

/** The worker of the build that is being made, and what a home screen is told. */
async function write(root: string): Promise<void> {
  const html = readFileSync(join(root, page, 'index.html'), 'utf8');
  const { mark, files } = shellFiles(root, html);
  const content = createHash('sha256').update(html).update(files.join('\n')).digest('hex');
  const worker = await makeWorker({
    cache: `shell-${content.slice(0, 12)}`,
    page,
    mark,
    screens: investorPaths,
    files,
    passed: ['/api/*', '/log/*', '/operator', '/operator/*', '/blog/*', '/verify.html', ...publicPaths],
  });
  writeFileSync(join(root, 'sw.js'), worker);
  writeFileSync(join(root, 'manifest.webmanifest'), JSON.stringify(manifest));
}

/** In place of the worker that is published: docs/operations.md says when. */
async function switchOff(root: string): Promise<void> {
  for (const encoded of ['sw.js.br', 'sw.js.gz']) rmSync(join(root, encoded), { force: true });
  writeFileSync(join(root, 'sw.js'), await makeWorkerOff());
}

if (process.argv.includes('--off')) await switchOff(join(build, 'client'));
else await write(join(build, 'next/client'));
