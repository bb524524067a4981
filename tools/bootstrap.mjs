/**
 * Makes a fresh clone runnable: packages, the web app's build (not with `--no-web`) and, with `--browser`, a Chromium
 * for the tests.
 * It is plain JavaScript without dependencies because it runs before anything is installed, on the machine's own Node.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBrowser } from './bootstrap/browser.mjs';
import { ensureHooks } from './bootstrap/hooks.mjs';
import { installIsCurrent, installPackages } from './bootstrap/install.mjs';
import { withLock } from './bootstrap/lock.mjs';
import { buildWeb, webIsCurrent } from './bootstrap/web-build.mjs';

const root = path.resolve(fileURLToPath(import.meta.url), '..', '..');
const oldestNode = 20;

async function main() {
  if (Number(process.versions.node.split('.')[0]) < oldestNode) {
    throw new Error(`This needs Node ${oldestNode} or newer to begin with; this is ${process.version}.`);
  }
  const webIsReady = () => process.argv.includes('--no-web') || webIsCurrent(root);
  // The common case, nothing to do, takes no lock, so that it stays fast and never waits for anybody.
  if (!(installIsCurrent(root) && webIsReady())) {
    await withLock(path.join(root, '.bootstrap.lock'), async () => {
      if (!installIsCurrent(root)) await installPackages(root);
      if (!webIsReady()) await buildWeb(root);
    });
  }
  await ensureHooks(root);
  if (process.argv.includes('--browser')) {
    await ensureBrowser(root, (work) => withLock(path.join(root, '.bootstrap.lock'), work));
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
