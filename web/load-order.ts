import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A prerendered page is whole before any script runs, so the connection of a slow phone is for its styles and its font
 * until it has been drawn; only then are its scripts fetched, all at once. What is pressed meanwhile is held
 * (`app/early.ts`). The page that scripts draw from nothing is left as it is.
 */
const root = join(import.meta.dirname, 'build/next/client');
const preload = /<link rel="modulepreload" href="([^"]*)"\/>/g;
const beginning = /(<script type="module" async="">)([^<]*)(<\/script>)/;

/** What React Router begins a page with, as a file, so that it can begin later. */
function writeBeginning(module: string): string {
  const name = createHash('sha256').update(module).digest('hex').slice(0, 8);
  const address = `/assets/begin-${name}.js`;
  writeFileSync(join(root, address), module);
  return address;
}

const onceDrawn = (scripts: string[], module: string) =>
  `requestAnimationFrame(()=>setTimeout(()=>{for(const href of ${JSON.stringify(scripts)})` +
  'document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href}));' +
  `import(${JSON.stringify(module)})}))`;

for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
  if (entry.name !== 'index.html') continue;
  const path = join(entry.parentPath, entry.name);
  const page = readFileSync(path, 'utf8');
  const [whole, open, module, close] = page.match(beginning) ?? [];
  if (!whole || !module) throw new Error(`${path} does not begin its scripts as expected: look again`);
  const scripts = [...page.matchAll(preload)].map(([, address = '']) => address);
  const later = `${open}${onceDrawn(scripts, writeBeginning(module))}${close}`;
  writeFileSync(
    path,
    page.replace(preload, '').replace(whole, () => later),
  );
}
