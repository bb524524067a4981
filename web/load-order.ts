import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A page that is drawn at build is whole before its scripts run, so the connection of a slow phone is first for what it
 * is drawn with. A page that is only read leaves what it asks the server to files of their own, so that the page itself
 * arrives in one go. The scripts of the app are fetched once the page has been drawn, all at once; what is pressed
 * meanwhile is held (`app/native/hold.ts`). The page that scripts draw from nothing is left as it is.
 */
const root = join(import.meta.dirname, 'build/next/client');
const mayWait = /<script data-later="true">([\s\S]*?)<\/script>/g;
const preload = '<link rel="modulepreload"';
const beginning = /(<script type="module" async="">)([^<]*)(<\/script>)/;

function writeFile(kind: string, script: string): string {
  const name = createHash('sha256').update(script).digest('hex').slice(0, 8);
  const address = `/assets/${kind}-${name}.js`;
  writeFileSync(join(root, address), script);
  return address;
}

const onceDrawn = (module: string) =>
  'requestAnimationFrame(()=>setTimeout(()=>{' +
  'for(const link of document.querySelectorAll("link[rel=later]"))link.rel="modulepreload";' +
  `import(${JSON.stringify(module)})}))`;

/** What React Router begins a page with becomes a file, so that it can begin later. */
function beginLater(page: string, path: string): string {
  const [whole, open, module, close] = page.match(beginning) ?? [];
  if (!whole || !module) throw new Error(`${path} does not begin its scripts as expected: look again`);
  const later = `${open}${onceDrawn(writeFile('begin', module))}${close}`;
  return page.replaceAll(preload, '<link rel="later"').replace(whole, () => later);
}

for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
  if (entry.name !== 'index.html') continue;
  const path = join(entry.parentPath, entry.name);
  const page = readFileSync(path, 'utf8').replace(
    mayWait,
    (_, script) => `<script type="module" src="${writeFile('later', script)}"></script>`,
  );
  writeFileSync(path, page.includes(preload) ? beginLater(page, path) : page);
}
