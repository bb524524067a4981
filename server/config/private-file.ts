import { readFileSync, statSync } from 'node:fs';

/** What a variable names must be a file that can be read. */
export function readNamedFile(name: string, path: string, makeOne = ''): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Error(`${name} ${path} does not exist.${makeOne && ` ${makeOne}`}`);
    if (code === 'EISDIR') throw new Error(`${name} ${path} is a folder and must be a file.`);
    throw new Error(`${name} ${path} cannot be read by the user of this process (${code}): chown it.`);
  }
}

/** And nobody else may read it. */
export function readPrivateFile(name: string, path: string, makeOne: string): Buffer {
  const content = readNamedFile(name, path, makeOne);
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new Error(`${name} ${path} can be read by others: chmod 600 it.`);
  }
  return content;
}
