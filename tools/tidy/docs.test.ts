import { describe, expect, it } from 'vitest';
import { checkDocs } from './docs.ts';

const complaints = (files: Record<string, string>) =>
  checkDocs(new Map(Object.entries(files))).map(({ file, line, message }) => `${file}:${line} ${message}`);

describe('a file that is named', () => {
  const server = { 'server/modules/users/service.ts': '' };

  it('is there, by the end of its path or by any word in it', () => {
    const text = 'See `service.ts`, `users/service.ts` and `modules/<word>/service.ts`, not `a.b` or `.ts`.';
    expect(complaints({ ...server, 'README.md': text })).toEqual([]);
  });

  it('is missed in a document and in a comment', () => {
    expect(complaints({ ...server, 'README.md': 'First.\nSee `users/store.ts`.' })).toEqual([
      'README.md:2 names users/store.ts, which is not there',
    ]);
    expect(complaints({ ...server, 'web/a.ts': '/** As in `ers/service.ts`. */' })).toEqual([
      'web/a.ts:1 names ers/service.ts, which is not there',
    ]);
  });

  it('is missed when a document links to it', () => {
    const files = {
      ...server,
      'docs/a.md': '[b](b.md), [c](../server/modules), [d](https://d.example/e.md)',
    };
    expect(complaints(files)).toEqual(['docs/a.md:1 links to b.md, which is not there']);
  });
});

describe('decisions', () => {
  const whole = '# 1\n## Context\n## Decision\n## Consequences\n';
  const told = (name: string, text = whole, index = `[1](001-a.md) [2](${name})`) =>
    complaints({
      'docs/decisions/README.md': index,
      'docs/decisions/001-a.md': whole,
      [`docs/decisions/${name}`]: text,
    });

  it('have no gap, no wrong name, no missing heading, and stand in the index', () => {
    expect(told('002-b.md')).toEqual([]);
    expect(told('003-b.md').join()).toContain('expected 002-');
    expect(told('002_b.md').join()).toContain('expected 002-');
    expect(told('002-b.md', '## Context\n## Decision').join()).toContain('no heading Consequences');
    expect(told('002-b.md', whole, '[1](001-a.md)')).toEqual([
      'docs/decisions/README.md:1 does not list 002-b.md',
    ]);
  });
});
