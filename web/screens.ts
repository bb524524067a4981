import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { investorPaths, operatorPaths } from '@tallystick/contract/site';

/**
 * The page that scripts draw knows nothing of the screen it is for: its scripts would ask for that screen's
 * only when they run. So every screen gets a copy that names them, and one round of questions is enough.
 */
const root = join(import.meta.dirname, 'build/next/client');

interface Route {
  parentId?: string;
  module: string;
  imports: string[];
}

const shell = readFileSync(join(root, '__spa-fallback.html'), 'utf8');
const [manifest] = /\/assets\/manifest-\w+\.js/.exec(shell) ?? [];
if (!manifest) throw new Error('the page for all screens names no manifest: look again');
const { routes } = JSON.parse(/\{.*\}/s.exec(readFileSync(join(root, manifest), 'utf8'))?.[0] ?? '') as {
  routes: Record<string, Route>;
};

function scriptsOf(id: string): string[] {
  const route = routes[id];
  return route ? [...scriptsOf(route.parentId ?? ''), route.module, ...route.imports] : [];
}

for (const path of [...investorPaths, ...operatorPaths].filter((one) => !one.includes(':'))) {
  const scripts = new Set(scriptsOf(path).filter((script) => !shell.includes(`"${script}"`)));
  const links = [...scripts].map((script) => `<link rel="modulepreload" href="${script}"/>`);
  mkdirSync(join(root, path), { recursive: true });
  writeFileSync(join(root, path, 'index.html'), shell.replace('</head>', `${links.join('')}</head>`));
}
