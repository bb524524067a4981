import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What was found of a log last time, in a folder. A file is there whole or not at all. */
export interface Mirror {
  read(name: string): Buffer | null;
  write(name: string, content: Uint8Array | string): void;
}

export function openMirror(folder: string): Mirror {
  const pathOf = (name: string) => join(folder, name);
  return {
    read: (name) => (existsSync(pathOf(name)) ? readFileSync(pathOf(name)) : null),
    write(name, content) {
      const path = pathOf(name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.new`, content);
      renameSync(`${path}.new`, path);
    },
  };
}

/** For an audit that remembers nothing. */
export function emptyMirror(): Mirror {
  return { read: () => null, write() {} };
}
