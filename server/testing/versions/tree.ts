import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '..', '..', '..');
const migrations = join('server', 'migrations');
const parts = ['package.json', 'contract', 'server', 'content', 'tools', 'verify'];
const sources = [...parts, ':!*.test.ts', ':!*package.json'];
const run = promisify(execFile);
const git = async (...args: string[]) =>
  (await run('git', args, { cwd: root, maxBuffer: 64 << 20 })).stdout.trim();

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

/** What a lock says of each package, by the folder that it lies in. */
type Locked = Record<string, { version?: string; dev?: boolean }>;
const lockedIn = (lock: string): Locked => JSON.parse(lock).packages;

/**
 * A package of then that is not here as it was, and that the server of then may need. Further ones do no harm, nor does one
 * that is gone and that no source of then names: whatever else leads to it is here as it was, or is gone itself.
 */
async function missingSince(commit: string): Promise<string | undefined> {
  const now = lockedIn(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const then = lockedIn(await git('show', `${commit}:package-lock.json`));
  const search = ['grep', '--quiet', '--fixed-strings'];
  const isNamed = (name: string) =>
    git(...search, '-e', `'${name}'`, '-e', `'${name}/`, commit, '--', ...sources).then(
      () => true,
      () => false,
    );
  for (const [folder, { version, dev }] of Object.entries(then)) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(folder)?.[1];
    if (!name || dev || now[folder]?.version === version) continue;
    if (now[folder] || (await isNamed(name))) return `${name} ${version}`;
  }
  return undefined;
}

/**
 * The commit before the newest migration, or why there is none to be run: where there is no history, where it was made
 * with packages that are not here, or where the version of then does not know yet that a newer schema may fit it. What was
 * merged counts as one: a migration may have had another number while it was written.
 */
export async function commitBefore(migration: string): Promise<{ commit: string } | { whyNot: string }> {
  try {
    const landed = ['--first-parent', '--diff-filter=A', '--format=%H', '-1'];
    const added = await git('log', ...landed, '--', join(migrations, migration));
    const commit = await git('rev-parse', '--verify', `${added}^`);
    await git('cat-file', '-e', `${commit}:server/testing/versions/server-process.ts`);
    const missing = await missingSince(commit);
    return missing
      ? { whyNot: `${commit.slice(0, 8)} was made with ${missing}, which is not here` }
      : { commit };
  } catch (error) {
    return { whyNot: `the history has none that can be begun: ${(error as Error).message.trim()}` };
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
