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
  css?: string[];
}

const shell = readFileSync(join(root, '__spa-fallback.html'), 'utf8');
const [manifest] = /\/assets\/manifest-\w+\.js/.exec(shell) ?? [];
if (!manifest) throw new Error('the page for all screens names no manifest: look again');
const { routes } = JSON.parse(/\{.*\}/s.exec(readFileSync(join(root, manifest), 'utf8'))?.[0] ?? '') as {
  routes: Record<string, Route>;
};

function routesAbove(id: string): Route[] {
  const route = routes[id];
  return route ? [...routesAbove(route.parentId ?? ''), route] : [];
}

/** Styles that only some screens have are a question of their own, too; they are few bytes, so they come with the first. */
function linksOf(path: string): string[] {
  const above = routesAbove(path);
  const scripts = new Set(above.flatMap(({ module, imports }) => [module, ...imports]));
  const styles = new Set(above.flatMap(({ css }) => css ?? []));
  return [
    ...[...scripts].map((script) => `<link rel="modulepreload" href="${script}"/>`),
    ...[...styles].map((style) => `<link rel="preload" as="style" href="${style}"/>`),
  ].filter((link) => !shell.includes(/href="[^"]*"/.exec(link)?.[0] ?? ''));
}

for (const path of [...investorPaths, ...operatorPaths].filter((one) => !one.includes(':'))) {
  mkdirSync(join(root, path), { recursive: true });
  writeFileSync(join(root, path, 'index.html'), shell.replace('</head>', `${linksOf(path).join('')}</head>`));
}
