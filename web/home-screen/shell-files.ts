import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { siteMap } from '@tallystick/contract/site';

interface Part {
  module: string;
  imports: string[];
  css?: string[];
}

/** The app's own list of its routes, and the file that has it: no other build has one of that name. */
function routesOf(root: string, page: string): { mark: string; entry: Part; routes: Record<string, Part> } {
  const [mark] = /\/assets\/manifest-\w+\.js/.exec(page) ?? [];
  if (!mark) throw new Error('the page of the dashboard names no manifest: look again');
  const list = /\{.*\}/s.exec(readFileSync(join(root, mark), 'utf8'))?.[0] ?? '';
  return { mark, ...(JSON.parse(list) as { entry: Part; routes: Record<string, Part> }) };
}

const named = {
  // What a script needs from its beginning; what it fetches later, like a form, needs the connection anyway.
  '.js': /(?:from|import)\s*"\.\/([\w.-]+\.js)"/g,
  '.css': /url\(["']?(?:\/assets\/|\.\/)?([\w.-]+\.woff2)["']?\)/g,
};

/** Every file that a screen of the investor's area is drawn with. */
export function shellFiles(root: string, page: string): { mark: string; files: string[] } {
  const { mark, entry, routes } = routesOf(root, page);
  const frames = ['root', 'investor/frame/layout'];
  const parts = [entry, ...[...frames, ...Object.keys(siteMap.investor)].map((id) => routes[id])];
  const files = new Set([mark]);
  for (const part of parts) {
    if (!part) throw new Error('a screen is missing in the list of routes: look again');
    for (const file of [part.module, ...part.imports, ...(part.css ?? [])]) {
      // Some are named with an empty place on them.
      files.add(file.replace(/#$/, ''));
    }
  }
  for (const [, file = ''] of page.matchAll(/"(\/assets\/[^"]+)"/g)) files.add(file);
  for (const file of files) {
    const names = file.endsWith('.js') ? named['.js'] : file.endsWith('.css') ? named['.css'] : null;
    if (!names) continue;
    for (const [, other = ''] of readFileSync(join(root, file), 'utf8').matchAll(names)) {
      files.add(`/assets/${other}`);
    }
  }
  return { mark, files: [...files].sort() };
}
