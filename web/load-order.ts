import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A prerendered page is whole before any script runs, so its styles and its font are fetched first. Left alone, two
 * dozen scripts stand before them in the head and take the connection of a slow phone.
 */
const root = join(import.meta.dirname, 'build/client');
const script = /<link rel="modulepreload" href="[^"]*"\/>/g;

for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith('.html')) continue;
  const path = join(entry.parentPath, entry.name);
  const page = readFileSync(path, 'utf8');
  const scripts = page.match(script) ?? [];
  const later = scripts.map((link) => link.replace('/>', ' fetchPriority="low"/>')).join('');
  writeFileSync(
    path,
    page.replace(script, '').replace('</head>', () => `${later}</head>`),
  );
}
