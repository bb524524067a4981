import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodes as serverExitCodes } from '../start-refusal.ts';
import { exitCodes } from './refusal.ts';

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;

it('every command that docs/operations.md names is there', () => {
  const named = [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, name]) => name ?? '');
  expect(new Set(named)).toContain('restore');
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

it('every chapter that docs/operations.md leads to is there', () => {
  const headings = [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) => heading);
  const anchors = headings.map((heading) => `#${heading.toLowerCase().replaceAll(' ', '-')}`);
  const linked = [...text.matchAll(/\]\((#[^)]+)\)/g)].map(([, anchor = '']) => anchor);
  expect(linked.length).toBeGreaterThan(20);
  expect(linked.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
});

it.each([
  ['the server', 'Of the server', Object.values(serverExitCodes)],
  ['the commands', 'Of the commands', Object.values(exitCodes)],
])('the exit codes that docs/operations.md has of %s are theirs', (_whose, heading, codes) => {
  const [, table = ''] = new RegExp(`^### ${heading}$(.*?)^##`, 'ms').exec(text) ?? [];
  expect([...table.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))).toEqual(codes);
});
