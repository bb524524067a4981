import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

interface Changed {
  files: string[];
  /** Without those that were deleted: they have nothing to be linted, and what imports them fails all the same. */
  left: string[];
}

/** What has changed since a commit, in the working tree too. Names are read as they are, whatever letters they have. */
export function changedSince(root: string, commit: string): Changed {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  const named = [
    ...git('diff', '-z', '--name-only', '--no-renames', commit),
    ...git('ls-files', '-z', '--others', '--exclude-standard'),
  ];
  const files = named.filter((file) => file !== '');
  return { files, left: files.filter((file) => existsSync(path.join(root, file))) };
}
