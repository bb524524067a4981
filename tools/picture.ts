/** `npm run picture` draws docs/modules.md from the real imports. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isTest } from './tidy/arrows.ts';
import { readSource } from './tidy/source.ts';

const root = path.resolve(import.meta.dirname, '..');
const target = path.join(root, 'docs', 'modules.md');

/** The rooms of the picture, by the files in them; what is in none is not drawn. */
const rooms: [group: string, pattern: RegExp][] = [
  ['web', /^web\/app\/(public|investor|operator|domain|ui)\//],
  ['web', /^web\/app\/(api)\.ts$/],
  ['server', /^server\/modules\/([^/]+)\//],
  ['server', /^server\/(demo)\//],
];

interface Room {
  group: string;
  name: string;
}

function roomOf(file: string): Room | undefined {
  for (const [group, pattern] of rooms) {
    const name = pattern.exec(file)?.[1];
    if (name !== undefined) return { group, name };
  }
  return undefined;
}

const idOf = ({ group, name }: Room) => `${group}_${name}`;

export function drawModules(files: ReadonlyMap<string, string>): string {
  const boxes = new Map<string, Room>();
  const arrows = new Set<string>();
  for (const [file, text] of files) {
    const from = roomOf(file);
    if (!from || isTest(file) || !/\.tsx?$/.test(file)) continue;
    boxes.set(idOf(from), from);
    for (const imported of readSource(file, text).imports) {
      const to = imported.file === undefined ? undefined : roomOf(imported.file);
      if (to && idOf(to) !== idOf(from)) arrows.add(`  ${idOf(from)} --> ${idOf(to)}`);
    }
  }
  const groups = [...new Set(rooms.map(([group]) => group))].flatMap((group) => [
    `  subgraph ${group}`,
    ...[...boxes.values()]
      .filter((room) => room.group === group)
      .map((room) => `    ${idOf(room)}[${room.name}]`)
      .sort(),
    '  end',
  ]);
  return [
    '# The modules and who imports whom',
    '',
    'Drawn from the imports by `npm run picture`. Left out are tests, `server/app.ts` and `server/context.ts`, which name',
    'every module, and `contract` and `server/platform`, which all may import and which import none of these. Which arrows',
    'there may be is in [ARCHITECTURE.md](../ARCHITECTURE.md); `tools/tidy/tidy.test.ts` refuses others.',
    '',
    '```mermaid',
    'flowchart TD',
    ...groups,
    ...[...arrows].sort(),
    '```',
    '',
  ].join('\n');
}

function sourcesUnder(folder: string): [string, string][] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort()
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]);
}

export function picture(): { drawn: string; stored: string } {
  const folders = ['web/app', 'server'];
  const drawn = drawModules(new Map(folders.flatMap(sourcesUnder)));
  return { drawn, stored: readFileSync(target, { encoding: 'utf8', flag: 'a+' }) };
}

if (import.meta.main) writeFileSync(target, picture().drawn);
