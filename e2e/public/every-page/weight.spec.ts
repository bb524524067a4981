import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { foundPaths, siteMap, strayPath } from '@tallystick/contract/site';
import { expect, test } from '../../fixtures.ts';
import { posts } from '../../looking/posts.ts';

/** Weighed in what was built, so that no machine is too slow for it. */
const build = join(import.meta.dirname, '../../../web/build/client');
const read = (name: string) => readFileSync(join(build, name), 'utf8');
const weigh = (text: string) => gzipSync(text, { level: 9 }).length;
const sum = (weights: number[]) => weights.reduce((one, other) => one + other, 0);

const onlyRead = [...foundPaths.filter((path) => path in siteMap.reading), strayPath, ...Object.keys(posts)];

test('pages that are only read have 12 kB of scripts in all, and no React among them', () => {
  const scripts = new Set<string>();
  for (const path of onlyRead) {
    const page = read(join(path, 'index.html'));
    expect(page, path).not.toMatch(/<link rel="(modulepreload|later)"/);
    for (const [, kind = '', text = ''] of page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
      expect(kind, path).not.toContain(' src=');
      if (!kind.includes('ld+json')) scripts.add(text);
      for (const [, file = ''] of text.matchAll(/import\("([^"]*)"\)/g)) scripts.add(read(file));
    }
  }
  // What is in every head; what near links need, and the landing page and that of proof besides; the three that fetch these.
  expect(scripts.size).toBe(7);
  for (const script of scripts) expect(script).not.toMatch(/react|useState|createElement\(/i);
  expect(sum([...scripts].map(weigh))).toBeLessThanOrEqual(12_000);
});

interface Part {
  module: string;
  imports: string[];
}

/** Files, and those that they import from their beginning. */
function withImports(names: string[]): Set<string> {
  const files = new Set(names);
  for (const file of files) {
    for (const [, other = ''] of read(`assets/${file}`).matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g)) {
      files.add(other);
    }
  }
  return files;
}

test('the dashboard with its chart is 230 kB of scripts', () => {
  const assets = read('.assets-of-this-build')
    .split('\n')
    .map((name) => name.replace('assets/', ''));
  const [manifest = '', chart = ''] = [/^manifest-.*\.js$/, /^bitcoin-plot-.*\.js$/].map((kind) =>
    assets.find((name) => kind.test(name)),
  );
  const { entry, routes } = JSON.parse(/\{.*\}/s.exec(read(`assets/${manifest}`))?.[0] ?? '') as {
    entry: Part;
    routes: Record<string, Part>;
  };
  const parts = [entry, routes.root, routes['investor/frame/layout'], routes['/dashboard']];
  const named = parts.flatMap((part) => (part ? [part.module, ...part.imports] : []));
  expect(parts).not.toContain(undefined);
  const files = withImports([manifest, chart, ...named.map((path) => path.replace('/assets/', ''))]);
  expect(files.size).toBeGreaterThan(8);
  // What a form needs comes with the form.
  expect([...files].filter((name) => /^(schemas|forms)-/.test(name))).toEqual([]);
  expect(sum([...files].map((name) => weigh(read(`assets/${name}`))))).toBeLessThanOrEqual(230_000);
});
