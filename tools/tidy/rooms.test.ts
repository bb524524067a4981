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
  const sixteenFolders = named(16, (n) => `web/app/a/${n}/deep/page.tsx`);
  const crowded = (...files: string[]) =>
    findCrowdedFolders(files).map(({ file, message }) => `${file}: ${message}`);

  it('has at most fifteen files', () => {
    expect(crowded(...sixteen)).toEqual(['server/a: 16 files, more than 15: give them rooms']);
    expect(crowded(...sixteen.slice(1))).toEqual([]);
  });

  it('has at most fifteen folders in which there is something that counts', () => {
    expect(crowded(...sixteenFolders)).toEqual(['web/app/a: 16 folders, more than 15: give them rooms']);
    expect(crowded(...sixteenFolders.slice(1), 'web/app/a/15/page.css')).toEqual([]);
  });

  it('has fifteen of both, which are counted apart', () => {
    const beside = named(15, (n) => `web/app/a/${n}.ts`);
    expect(crowded(...sixteenFolders.slice(1), ...beside)).toEqual([]);
  });

  it('has at most fifteen journeys, and what they share is counted no other way', () => {
    const journeys = named(16, (n) => `e2e/investor/${n}.spec.ts`);
    expect(crowded(...journeys)).toEqual(['e2e/investor: 16 files, more than 15: give them rooms']);
    expect(crowded(...named(16, (n) => `e2e/${n}.ts`))).toEqual([expect.stringContaining('e2e: 16 files')]);
  });

  it('may have more with a reason, which is one for files or one for folders', () => {
    const files = { 'server/a': 'because' };
    expect(findCrowdedFolders(sixteen, { files, folders: {} })).toEqual([]);
    expect(findCrowdedFolders(sixteen, { files: {}, folders: files })).toHaveLength(1);
    const folders = { 'web/app/a': 'because' };
    expect(findCrowdedFolders(sixteenFolders, { files: {}, folders })).toEqual([]);
    expect(findCrowdedFolders(sixteenFolders, { files: folders, folders: {} })).toHaveLength(1);
  });

  it('may have any number of tests, styles, declarations, documents and data beside them', () => {
    const beside = ['test.ts', 'test.tsx', 'css', 'd.ts', 'md', 'json'].flatMap((ending) =>
      named(9, (n) => `server/a/${n}.${ending}`),
    );
    expect(crowded(...sixteen.slice(1), ...beside)).toEqual([]);
  });
});
