import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeVerifyPage } from './make.ts';

let page: string;
beforeAll(async () => {
  page = await makeVerifyPage();
});

const hashOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('/verify.html', () => {
  it('is in the releases as it is built: `npm run verify:release` puts it there', () => {
    const released = readFileSync(join(import.meta.dirname, '../../releases/verify.html'), 'utf8');
    // Compared as a whole, and not shown: nobody reads two such files beside each other.
    expect(released === page).toBe(true);
  });

  it('allows exactly its own script, style and font, and no network', () => {
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
    const [, script] = /<script>([\s\S]*)<\/script>/.exec(page) ?? [];
    const [, style] = /<style>([\s\S]*)<\/style>/.exec(page) ?? [];
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hashOf(script)}`,
      `style-src ${hashOf(style)}`,
      'font-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(page.indexOf('http-equiv')).toBeLessThan(page.indexOf('<style>'));
  });

  it('names no other file', () => {
    expect(page.match(/\s(src|href)="[^"]*"/g)).toBeNull();
    expect(page.match(/url\((?!data:)/g)).toBeNull();
    expect(page).not.toMatch(/\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts)\(/);
  });
});
