import { describe, expect, it } from 'vitest';
import { findCircles } from './circles.ts';
import { findCrowdedFolders } from './folders.ts';
import { readSource } from './source.ts';

const told = (files: Record<string, string>) =>
  findCircles(Object.entries(files).map(([file, text]) => readSource(file, text))).map(
    ({ message }) => message,
  );

describe('files that import each other', () => {
  it('are told, with the way around', () => {
    const files = {
      'server/a.ts': "import './b.ts';",
      'server/b.ts': "export { c } from './c.ts';",
      'server/c.ts': "await import('./a.ts');",
      'server/d.ts': "import './a.ts';",
    };
    expect(told(files)).toEqual(['imports itself: server/a.ts -> server/b.ts -> server/c.ts -> server/a.ts']);
  });

  it('are told once for each knot', () => {
    const pair = (a: string, b: string) => ({
      [`web/${a}.ts`]: `import './${b}.ts';`,
      [`web/${b}.ts`]: `import './${a}.ts';`,
    });
    expect(told({ ...pair('a', 'b'), ...pair('c', 'd') })).toHaveLength(2);
  });

  it('may lead back by types alone, and not lead back at all', () => {
    expect(
      told({ 'server/a.ts': "import './b.ts';", 'server/b.ts': "import type { A } from './a.ts';" }),
    ).toEqual([]);
    expect(told({ 'server/a.ts': "import './b.ts';\nimport 'pg';", 'server/b.ts': '' })).toEqual([]);
  });
});

describe('a folder', () => {
  const named = (count: number, name: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => name(n));
  const sixteen = named(16, (n) => `server/a/${n}.ts`);

  it('has at most fifteen files', () => {
    expect(findCrowdedFolders(sixteen)).toMatchObject([
      { file: 'server/a', message: expect.stringContaining('16 files') },
    ]);
    expect(findCrowdedFolders(sixteen.slice(1))).toEqual([]);
  });

  it('may have more with a reason, and tests and styles do not count', () => {
    expect(findCrowdedFolders(sixteen, { 'server/a': 'because' })).toEqual([]);
    const beside = [...named(9, (n) => `server/a/${n}.test.ts`), ...named(9, (n) => `server/a/${n}.css`)];
    expect(findCrowdedFolders([...sixteen.slice(1), ...beside])).toEqual([]);
  });
});
