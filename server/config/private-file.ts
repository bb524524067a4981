import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A secret has 32 characters or more: what could be one, instead of the file that it belongs into, is not shown. */
function shown(path: string): string {
  const isShort = path.split('/').every(({ length }) => length < 32);
  const isPlace = /^\.{0,2}\//.test(path) || existsSync(dirname(path));
  return isShort && isPlace ? ` ${path}` : ': the file that it names';
}

/** What a variable names must be a file that can be read. */
export function readNamedFile(name: string, path: string, makeOne = ''): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      throw new Error(`${name}${shown(path)} does not exist.${makeOne && ` ${makeOne}`}`);
    }
    if (code === 'EISDIR') throw new Error(`${name} ${path} is a folder and must be a file.`);
    throw new Error(`${name}${shown(path)} cannot be read by the user of this process (${code}): chown it.`);
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

/** Made by whoever is first, of several processes that begin at the same moment; nobody reads half of it. */
export function makeOnce(path: string, make: () => string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, make(), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
