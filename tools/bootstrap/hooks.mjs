import fs from 'node:fs';
import path from 'node:path';
import { run } from './run.mjs';

/**
 * Points git at the hooks of this checkout, once. Whoever has hooks already, here or for all checkouts, keeps them; a
 * copy without git and a machine that builds for others need none, and a second working tree shares the settings of
 * the first.
 */
export async function ensureHooks(root) {
  const isCheckout = fs.statSync(path.join(root, '.git'), { throwIfNoEntry: false })?.isDirectory();
  if (process.env.CI || !isCheckout) return;
  const git = (...args) => run('git', args, { cwd: root });
  if ((await git('config', '--get', 'core.hooksPath')).output !== '') return;
  const { ok, output: folder } = await git('rev-parse', '--git-path', 'hooks');
  if (!ok) return;
  const hooks = path.resolve(root, folder);
  const own = fs.existsSync(hooks) ? fs.readdirSync(hooks).filter((name) => !name.endsWith('.sample')) : [];
  if (own.length === 0) await git('config', '--local', 'core.hooksPath', '.githooks');
}
