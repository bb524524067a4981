import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { groups } from './groups.ts';
import { linesOf } from './stryker.ts';

const all = Object.values(groups);
const mutated = all.flatMap((group) => group.mutated);

it('what is mutated is there, and so are its tests', () => {
  for (const part of mutated) {
    const [file = '', first, last] = linesOf(part).split(/[:-](?=\d)/);
    const lines = readFileSync(file, 'utf8').split('\n');
    if (part.includes('#')) {
      expect(lines[Number(first) - 1]).toContain(`${part.split('#')[1]}(`);
      expect(lines[Number(last) - 1]).toMatch(/^ *},?$/);
      expect(Number(last)).toBeGreaterThan(Number(first) + 3);
    }
  }
  const tests = all.flatMap((group) => group.tests);
  expect(tests.filter((file) => !existsSync(file))).toEqual([]);
  expect(new Set(tests).size).toBe(tests.length);
});

it('no rules of the modules that move money are left out', () => {
  const rules = globSync('server/modules/{ledger,investment,withdrawal,funding}/**/*rules.ts');
  expect(rules.length).toBeGreaterThan(4);
  expect(rules.filter((file) => !mutated.includes(file))).toEqual([]);
});

it('each group can lose a file of tests, to show that it is missed', () => {
  for (const { tests } of all) expect(tests.length).toBeGreaterThan(1);
});

it('no test that says what a mutated file decides, and needs neither a server nor a service for it, is left out', () => {
  const isOf = (test: string, file: string) => {
    const text = readFileSync(test, 'utf8');
    return text.includes(`'./${path.basename(file)}'`) && !/(start-app|service)\.ts'/.test(text);
  };
  const beside = (file: string) => globSync(`${path.dirname(file)}/*.test.ts`);
  const leftOut = all.flatMap((group) =>
    group.mutated.flatMap((part) => {
      const [file = ''] = part.split('#');
      return beside(file).filter((test) => isOf(test, file) && !group.tests.includes(test));
    }),
  );
  expect(leftOut).toEqual([]);
});
