import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '..', '..', '..');
const migrations = join('server', 'migrations');
const parts = ['package.json', 'contract', 'server', 'content', 'tools', 'verify'];
const run = promisify(execFile);
const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim();

/** Another version's sources, and how a process of it is begun. */
interface Tree {
  migrations: string;
  command: string;
}

const commandIn = (tree: string) =>
  `exec ${process.execPath} ${join(tree, 'server', 'testing', 'versions', 'server-process.ts')}`;
/** How a process of this version is begun. */
export const commandOfThis = commandIn(root);

/** The packages are those of here, but for our own, which are those of the tree. */
async function furnish(tree: string): Promise<Tree> {
  const [own, packages] = [join(tree, 'node_modules'), join(root, 'node_modules')];
  await mkdir(join(own, '@tallystick'), { recursive: true });
  for (const name of await readdir(packages)) {
    if (name !== '@tallystick') await symlink(join(packages, name), join(own, name));
  }
  await symlink(join(tree, 'contract'), join(own, '@tallystick', 'contract'));
  return {
    migrations: join(tree, migrations),
    command: commandIn(tree),
  };
}

/** The sources as they are here, to be made another version of. */
export async function copyOfThis(tree: string): Promise<Tree> {
  const isSource = (file: string) => !file.endsWith('.test.ts');
  for (const part of parts) {
    await cp(join(root, part), join(tree, part), { recursive: true, filter: isSource });
  }
  return furnish(tree);
}

export const newestMigration = async () =>
  (await readdir(join(root, migrations)))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .at(-1) ?? '';

/**
 * The commit before the newest migration; null where there is no history, where it was made with packages that are not
 * here (further ones do no harm), or where the version of then does not know yet that a newer schema may fit it. What was
 * merged counts as one: a migration may have had another number while it was written.
 */
export async function commitBefore(migration: string): Promise<string | null> {
  try {
    const landed = ['--first-parent', '--diff-filter=A', '--format=%H', '-1'];
    const added = await git('log', ...landed, '--', join(migrations, migration));
    const before = await git('rev-parse', '--verify', `${added}^`);
    await git('cat-file', '-e', `${before}:server/testing/versions/server-process.ts`);
    const [, gone = '0'] = (await git('diff', '--numstat', before, '--', 'package-lock.json')).split('\t');
    return gone === '0' ? before : null;
  } catch {
    return null;
  }
}

/** The sources as a commit has them. */
export async function treeOf(commit: string, tree: string): Promise<Tree> {
  await mkdir(tree, { recursive: true });
  const archive = `${tree}.tar`;
  await git('archive', '--output', relative(root, archive), commit, ...parts);
  await run('tar', ['-xf', archive, '-C', tree]);
  return furnish(tree);
}
