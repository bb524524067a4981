/** Draws the social card and the icons of home screens: `node web/art/draw.ts`, after a change to the pictures. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { chromiumPath } from '../../tools/chromium.ts';

const here = import.meta.dirname;
const publicFolder = join(here, '../public');

async function draw(browser: Browser, name: string, size: Size, markup: string): Promise<void> {
  const page = await browser.newPage({ viewport: size });
  await page.setContent(`<!doctype html>${markup}`);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(publicFolder, name), omitBackground: true });
  await page.close();
}

interface Size {
  width: number;
  height: number;
}

function socialCard(): string {
  const file = '@fontsource-variable/instrument-sans/files/instrument-sans-latin-standard-normal.woff2';
  const font = readFileSync(new URL(import.meta.resolve(file))).toString('base64');
  return `<style>
  @font-face { font-family: "Instrument Sans Variable"; font-weight: 400 700; src: url(data:font/woff2;base64,${font}) }
  body { margin: 0 } svg { display: block }
</style>${readFileSync(join(here, 'social-card.svg'), 'utf8')}`;
}

/** The mark of the brand as the tab has it, in white on its own colour; `share` is how much of the icon it takes. */
function icon({ share, round }: { share: number; round: boolean }): string {
  const mark = readFileSync(join(publicFolder, 'favicon.svg'), 'utf8');
  const [, colour] = /fill: (#\w+)/.exec(mark) ?? [];
  const paths = mark.match(/<path [^>]*>/g) ?? [];
  if (!colour || paths.length === 0) throw new Error('favicon.svg is not drawn as it was: look again');
  const edge = (28 / share - 28) / 2;
  const side = 28 + 2 * edge;
  // Half a unit lower than it stands in its own square: its right half begins higher than its left one ends.
  return `<style>body { margin: 0 } svg { display: block }</style>
<svg width="100vw" viewBox="${-edge} ${-edge - 1} ${side} ${side}">
  <rect x="${-edge}" y="${-edge - 1}" width="${side}" height="${side}" rx="${round ? side * 0.22 : 0}" fill="${colour}"/>
  <g fill="#fff">${paths.join('')}</g>
</svg>`;
}

const square = (side: number): Size => ({ width: side, height: side });
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ['--no-sandbox', '--disable-gpu'],
});
await draw(browser, 'social-card.png', { width: 1200, height: 630 }, socialCard());
for (const side of [192, 512]) {
  await draw(browser, `icon-${side}.png`, square(side), icon({ share: 0.62, round: true }));
}
// A phone cuts its own shape out of these: whatever it cuts, the mark is whole within four fifths of the width.
await draw(browser, 'icon-maskable-512.png', square(512), icon({ share: 0.52, round: false }));
await draw(browser, 'apple-touch-icon.png', square(180), icon({ share: 0.62, round: false }));
await browser.close();
