import fs from 'node:fs';
import path from 'node:path';
import { run } from './run.mjs';

/** By its second line a hook is known as ours, of today or of an earlier version. */
const firstWordsOf = (hook) => hook.split('\n')[1];

/**
 * Puts the hook of this checkout in place. A copy, not `core.hooksPath`: that would run whatever hooks a branch brings
 * along, some of them as soon as it is checked out. Whoever has hooks already, here or for all checkouts, keeps them; a
 * copy without git and a machine that builds for others need none, and a second working tree shares those of the first.
 */
export async function ensureHooks(root) {
  const isCheckout = fs.statSync(path.join(root, '.git'), { throwIfNoEntry: false })?.isDirectory();
  const file = path.join(root, '.githooks', 'pre-commit');
  if (process.env.CI || !isCheckout || !fs.existsSync(file)) return;
  const git = (...args) => run('git', args, { cwd: root });
  if ((await git('config', '--get', 'core.hooksPath')).output !== '') return;
  const { ok, output: folder } = await git('rev-parse', '--git-path', 'hooks');
  if (!ok) return;
  const hook = fs.readFileSync(file, 'utf8');
  const place = path.resolve(root, folder, 'pre-commit');
  try {
    fs.mkdirSync(path.dirname(place), { recursive: true });
    const found = fs.existsSync(place) ? fs.readFileSync(place, 'utf8') : null;
    if (found === hook || (found !== null && firstWordsOf(found) !== firstWordsOf(hook))) return;
    fs.writeFileSync(place, hook);
    fs.chmodSync(place, 0o755);
  } catch {
    // A checkout that cannot be written to is not committed to either.
  }
}
