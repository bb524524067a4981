import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stylesFor } from './page-styles.ts';

/**
 * A page that is drawn at build is whole before its scripts run, so the connection of a slow phone is first for what it
 * is drawn with. A page that is only read brings its own styles, so that nothing is asked for before it can be drawn.
 * Scripts are fetched once the page has been drawn, all at once; what is pressed before the app has come is held
 * (`app/native/hold.ts`). The same goes for the screens, of which the build has drawn the frame; only the page for
 * all other addresses is left as it is.
 */
const root = join(import.meta.dirname, 'build/next/client');
const mayWait = /<script data-later="true">([\s\S]*?)<\/script>/g;
const preload = '<link rel="modulepreload"';
const sheet = /<link rel="stylesheet" href="([^"]*)"\/>/;
/** Of record codes and the like, on hardly any first picture: until it comes, the reader's own takes its place. */
const secondFace = /@font-face\s*\{[^}]*Geist Mono[^}]*\}/;
const beginning = /<script type="module" async="">([^<]*)<\/script>/;

function writeFile(kind: string, script: string): string {
  const name = createHash('sha256').update(script).digest('hex').slice(0, 8);
  const address = `/assets/${kind}-${name}.js`;
  writeFileSync(join(root, address), script);
  return address;
}

/** A tab that nobody looks at is not drawn: there nothing is to be waited for. */
const onceDrawn = (orders: string) =>
  `<script type="module" async="">const go=()=>{${orders}};document.hidden?go():requestAnimationFrame(()=>setTimeout(go))</script>`;
const asking = (address: string) => `import(${JSON.stringify(address)});`;

/** What React Router begins a page with becomes a file, so that it can begin later. */
function beginLater(page: string, path: string): string {
  const [whole, module] = page.match(beginning) ?? [];
  if (!whole || !module) throw new Error(`${path} does not begin its scripts as expected: look again`);
  const links = 'for(const link of document.querySelectorAll("link[rel=later]"))link.rel="modulepreload";';
  const later = onceDrawn(links + asking(writeFile('begin', module)));
  return page.replaceAll(preload, '<link rel="later"').replace(whole, () => later);
}

/** The styles come with the page, the scripts and the second face that may wait once it has been drawn. */
function readAtOnce(page: string, path: string): string {
  const [link, address] = sheet.exec(page) ?? [];
  if (!link || !address) throw new Error(`${path} names no stylesheet: look again`);
  const css = readFileSync(join(root, address), 'utf8');
  const [face] = secondFace.exec(css) ?? [];
  if (!face) throw new Error('the stylesheet has no second face: look again');
  const later = [...page.matchAll(mayWait)].map(([, script = '']) => asking(writeFile('later', script)));
  return page
    .replace(link, () => `<style>${stylesFor(page, css.replace(face, ''))}</style>`)
    .replace('</head>', () => `<style media="not all">${face}</style></head>`)
    .replaceAll(mayWait, '')
    .replace('</body>', () => `${onceDrawn(later.join(''))}</body>`);
}

for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
  if (entry.name !== 'index.html') continue;
  const path = join(entry.parentPath, entry.name);
  const page = readFileSync(path, 'utf8');
  writeFileSync(path, page.includes(preload) ? beginLater(page, path) : readAtOnce(page, path));
}
