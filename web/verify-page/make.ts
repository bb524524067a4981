import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bundle } from '../native-scripts.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const tokens = () => read('../app/ui/styles/tokens.css');

/** The house's colours that a stylesheet names, with their values in light and dark. */
function namedTokens(style: string): string {
  const all = new Map(
    [...tokens().matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]),
  );
  const names = new Set([...style.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
  const lines = [...names].map((name) => {
    if (!all.has(name)) throw new Error(`no token is called ${name}`);
    return `${name}:${all.get(name)}`;
  });
  return `:root{color-scheme:light dark;${lines.join(';')}}`;
}

const fontFile = '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2';

function fontFace(): string {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(fontFile));
  const address = `data:font/woff2;base64,${bytes.toString('base64')}`;
  return `@font-face{font-family:"Instrument Sans Variable";src:url(${address}) format("woff2");font-weight:400 700}`;
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** One file that needs no other and may ask for none: its own policy allows its script, its style and its font alone. */
export async function makeVerifyPage(): Promise<string> {
  const own = [read('found.css'), read('style.css')].join('\n').replace(/\s+/g, ' ').trim();
  const style = `${namedTokens(own)}${fontFace()}${own}`;
  const { code } = await bundle(join(import.meta.dirname, 'main.ts'));
  if (code.includes('</script')) throw new Error('the script of the page would end early');
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(code)}`,
    `style-src ${hashOf(style)}`,
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return read('page.html')
    .replace('content="policy"', () => `content="${policy}"`)
    .replace('<!-- style -->', () => `<style>${style}</style>`)
    .replace('<!-- script -->', () => `<script>${code}</script>`);
}
