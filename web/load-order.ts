import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A page of the app that is drawn at build is whole before any script runs, so the connection of a slow phone is for its
 * styles and its font until it has been drawn; only then are its scripts fetched, all at once. What is pressed meanwhile
 * is held (`app/native/hold.ts`). The page that scripts draw from nothing is left as it is.
 */
const root = join(import.meta.dirname, 'build/next/client');
const preload = '<link rel="modulepreload"';
const beginning = /(<script type="module" async="">)([^<]*)(<\/script>)/;

/** What React Router begins a page with, as a file, so that it can begin later. */
function writeBeginning(module: string): string {
  const name = createHash('sha256').update(module).digest('hex').slice(0, 8);
  const address = `/assets/begin-${name}.js`;
  writeFileSync(join(root, address), module);
  return address;
}

const onceDrawn = (module: string) =>
  'requestAnimationFrame(()=>setTimeout(()=>{' +
  'for(const link of document.querySelectorAll("link[rel=later]"))link.rel="modulepreload";' +
  `import(${JSON.stringify(module)})}))`;

for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
  if (entry.name !== 'index.html') continue;
  const path = join(entry.parentPath, entry.name);
  const page = readFileSync(path, 'utf8');
  if (!page.includes(preload)) continue;
  const [whole, open, module, close] = page.match(beginning) ?? [];
  if (!whole || !module) throw new Error(`${path} does not begin its scripts as expected: look again`);
  const later = `${open}${onceDrawn(writeBeginning(module))}${close}`;
  writeFileSync(
    path,
    page.replaceAll(preload, '<link rel="later"').replace(whole, () => later),
  );
}
