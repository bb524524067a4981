import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodes } from './refusal.ts';

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;

it('every command that docs/operations.md names is there', () => {
  const named = [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, name]) => name ?? '');
  expect(new Set(named)).toContain('restore');
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

it('the exit codes of docs/operations.md are those of the commands', () => {
  const [, table = ''] = /### Exit codes(.*?)\n## /s.exec(text) ?? [];
  const codes = [...table.matchAll(/^\| (\d) \|/gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(exitCodes));
});
