import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import playwright from '../playwright.config.ts';
import { everydayJourneys, longTests } from './test-size.ts';

const root = resolve(import.meta.dirname, '..');
const isThere = (file: string) => existsSync(join(root, file));

it('a name that stands in a list is that of a file', () => {
  const journeys = Object.values(everydayJourneys).flat();
  expect(longTests.filter((file) => !isThere(file))).toEqual([]);
  expect(journeys.filter((name) => !isThere(`e2e/${name}.spec.ts`))).toEqual([]);
});

it('no journey of every day is one that its size passes over', () => {
  for (const { name, testIgnore } of playwright.projects ?? []) {
    const names = everydayJourneys[name as keyof typeof everydayJourneys];
    expect(names.filter((one) => (testIgnore as RegExp).test(`/e2e/${one}.spec.ts`))).toEqual([]);
  }
});
