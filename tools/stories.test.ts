import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readSource } from './tidy/source.ts';

const root = path.resolve(import.meta.dirname, '..');

function filesUnder(folder: string): [file: string, text: string][] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.tsx'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]);
}

it('every piece of the user interface has a story under /dev/ui', () => {
  const shown = new Set(
    filesUnder('web/stories').flatMap(([file, text]) =>
      readSource(file, text).imports.flatMap((imported) =>
        imported.names.map((name) => `${imported.file} ${name}`),
      ),
    ),
  );
  const pieces = filesUnder('web/app/ui').flatMap(([file, text]) =>
    [...text.matchAll(/^export (?:function|const) ([A-Z]\w*)/gm)].map(([, name]) => `${file} ${name}`),
  );
  expect(pieces.length).toBeGreaterThan(40);
  const todo = (piece: string) => `${piece}: add it to web/stories/${piece.split('/')[3]}.tsx`;
  expect(pieces.filter((piece) => !shown.has(piece)).map(todo)).toEqual([]);
});
