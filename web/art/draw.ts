/** Draws the social card: `node web/art/draw.ts`, after a change to the picture beside this file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumPath } from '../../tools/chromium.ts';

const size = { width: 1200, height: 630 };
const svg = readFileSync(join(import.meta.dirname, 'social-card.svg'), 'utf8');
const font = readFileSync(
  new URL(
    import.meta.resolve(
      '@fontsource-variable/instrument-sans/files/instrument-sans-latin-standard-normal.woff2',
    ),
  ),
).toString('base64');

const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: size });
await page.setContent(`<!doctype html><style>
  @font-face { font-family: "Instrument Sans Variable"; font-weight: 400 700; src: url(data:font/woff2;base64,${font}) }
  body { margin: 0 } svg { display: block }
</style>${svg}`);
await page.evaluate(() => document.fonts.ready);
await page.screenshot({ path: join(import.meta.dirname, '../public/social-card.png') });
await browser.close();
