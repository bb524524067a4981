import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { everydayJourneys, longTests, passedOver } from './test-size.ts';

const root = resolve(import.meta.dirname, '..');
const isThere = (file: string) => existsSync(join(root, file));

it('a name that stands in a list is that of a file', () => {
  const journeys = Object.values(everydayJourneys).flat();
  expect(longTests.filter((file) => !isThere(file))).toEqual([]);
  expect(journeys.filter((name) => !isThere(`e2e/${name}.spec.ts`))).toEqual([]);
});

it('no journey of every day is one that its size passes over', () => {
  for (const [size, names] of Object.entries(everydayJourneys)) {
    const over = passedOver[size as keyof typeof passedOver];
    expect(names.filter((name) => over.test(`/e2e/${name}.spec.ts`))).toEqual([]);
  }
});
