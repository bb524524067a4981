import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const exclude = (name: string) => /(^|\/)(node_modules|build|data)$/.test(name);
const find = (pattern: string) => globSync(pattern, { cwd: root, exclude });
const tests = find('{bench,contract,drills,e2e,server,tools,verify,web}/**/*.{test,spec}.ts');

/** The numbers of OWASP ASVS 5.0.0, by level. */
const standard: Record<string, string> = {
  1: `1.2.1 1.2.2 1.2.3 1.2.4 1.2.5 1.3.1 1.3.2 1.5.1 2.1.1 2.2.1 2.2.2 2.3.1 3.2.1 3.2.2 3.3.1 3.4.1 3.4.2 3.5.1
    3.5.2 3.5.3 4.1.1 4.4.1 5.2.1 5.2.2 5.3.1 5.3.2 6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1
    6.3.2 6.4.1 6.4.2 7.2.1 7.2.2 7.2.3 7.2.4 7.4.1 7.4.2 8.1.1 8.2.1 8.2.2 8.3.1 9.1.1 9.1.2 9.1.3 9.2.1 10.4.1
    10.4.2 10.4.3 10.4.4 10.4.5 11.3.1 11.3.2 11.4.1 12.1.1 12.2.1 12.2.2 13.4.1 14.2.1 14.3.1 15.1.1 15.2.1 15.3.1`,
  2: `1.1.1 1.1.2 1.2.6 1.2.7 1.2.8 1.2.9 1.3.3 1.3.4 1.3.5 1.3.6 1.3.7 1.3.8 1.3.9 1.3.10 1.3.11 1.4.1 1.4.2 1.4.3
    1.5.2 2.1.2 2.1.3 2.2.3 2.3.2 2.3.3 2.3.4 2.4.1 3.3.2 3.3.3 3.3.4 3.4.3 3.4.4 3.4.5 3.4.6 3.5.4 3.5.5 3.7.1
    3.7.2 4.1.2 4.1.3 4.2.1 4.3.1 4.3.2 4.4.2 4.4.3 4.4.4 5.1.1 5.2.3 5.4.1 5.4.2 5.4.3 6.1.2 6.1.3 6.2.9 6.2.10
    6.2.11 6.2.12 6.3.3 6.3.4 6.4.3 6.4.4 6.5.1 6.5.2 6.5.3 6.5.4 6.5.5 6.6.1 6.6.2 6.6.3 6.8.1 6.8.2 6.8.3 6.8.4
    7.1.1 7.1.2 7.1.3 7.3.1 7.3.2 7.4.3 7.4.4 7.4.5 7.5.1 7.5.2 7.6.1 7.6.2 8.1.2 8.2.3 8.4.1 9.2.2 9.2.3 9.2.4
    10.1.1 10.1.2 10.2.1 10.2.2 10.3.1 10.3.2 10.3.3 10.3.4 10.4.6 10.4.7 10.4.8 10.4.9 10.4.10 10.4.11 10.5.1
    10.5.2 10.5.3 10.5.4 10.5.5 10.6.1 10.6.2 10.7.1 10.7.2 10.7.3 11.1.1 11.1.2 11.2.1 11.2.2 11.2.3 11.3.3 11.4.2
    11.4.3 11.4.4 11.5.1 11.6.1 12.1.2 12.1.3 12.3.1 12.3.2 12.3.3 12.3.4 13.1.1 13.2.1 13.2.2 13.2.3 13.2.4 13.2.5
    13.3.1 13.3.2 13.4.2 13.4.3 13.4.4 13.4.5 14.1.1 14.1.2 14.2.2 14.2.3 14.2.4 14.3.2 14.3.3 15.1.2 15.1.3 15.2.2
    15.2.3 15.3.2 15.3.3 15.3.4 15.3.5 15.3.6 15.3.7 16.1.1 16.2.1 16.2.2 16.2.3 16.2.4 16.2.5 16.3.1 16.3.2 16.3.3
    16.3.4 16.4.1 16.4.2 16.4.3 16.5.1 16.5.2 16.5.3 17.1.1 17.2.1 17.2.2 17.2.3 17.2.4 17.3.1 17.3.2`,
};
const wordsOf = (text: string) => text.trim().split(/\s+/);

const states = ['met', 'waived', 'not met', 'does not apply'] as const;
const named = /`([\w./-]+\.(?:test|spec)\.ts)`: “([^”]+)”/g;
const security = read('docs/security.md');

interface Row {
  numbers: string[];
  state: string;
  text: string;
}

function rowsOf(level: string): Row[] {
  const chapter = security.split(/^## /m).find((text) => text.startsWith(`Level ${level}\n`)) ?? '';
  return [...chapter.matchAll(/^\| ([\d. ]+) \| ([a-z ]+) \|(.*)\|$/gm)].map(
    ([, numbers = '', state = '', text = '']) => ({ numbers: wordsOf(numbers), state, text }),
  );
}

describe.each(Object.keys(standard))('docs/security.md has of level %s of the standard', (level) => {
  const rows = rowsOf(level);

  it('every number once and no other, in its order', () => {
    expect(rows.flatMap(({ numbers }) => numbers)).toEqual(wordsOf(standard[level] ?? ''));
  });

  it('a state for each, and a test or a document for what is met', () => {
    expect(rows.filter(({ state }) => !states.some((known) => known === state))).toEqual([]);
    const met = rows.filter(({ state }) => state === 'met');
    expect(met.filter(({ text }) => !text.match(named) && !text.includes(']('))).toEqual([]);
  });

  it('the sums that its table says', () => {
    const count = (state: string) =>
      rows.filter((row) => row.state === state).reduce((sum, { numbers }) => sum + numbers.length, 0);
    const sums = [...states.map(count), rows.flatMap(({ numbers }) => numbers).length];
    expect(security).toContain(`| ${[level, ...sums].join(' | ')} |`);
  });
});

describe.each(['docs/security.md', 'docs/threats.md'])('every test that %s names', (document) => {
  it('is there, under that title', () => {
    const references = [...read(document).matchAll(named)];
    expect(references.length).toBeGreaterThan(50);
    const missing = references.filter(([, file = '', title = '']) => {
      const places = tests.filter((place) => `/${place}`.endsWith(`/${file}`));
      return places.length !== 1 || !read(places[0] ?? '').includes(title);
    });
    expect(missing.map(([reference]) => reference)).toEqual([]);
  });
});

describe('of what the documents say by having looked', () => {
  const sources = find('{contract,server,verify,web}/**/*.{ts,tsx}').filter(
    (file) => !/\.test\.tsx?$|^server\/testing\//.test(file),
  );
  const having = (pattern: RegExp) => sources.filter((file) => pattern.test(read(file)));

  it('the sources are really looked at', () => expect(sources.length).toBeGreaterThan(500));

  it('no text is run as code', () =>
    expect(having(/\beval\(|new Function\(|node:vm|dangerouslySetInnerHTML/)).toEqual([]));

  it('nothing that must not be guessed comes from Math.random', () =>
    expect(having(/Math\.random/)).toEqual([]));

  it('the server hands no command to a shell but two constants', () => {
    expect(having(/shell: (?!false)|\bexec(Sync)?\b[^;]*child_process/)).toEqual([]);
    const shells = /(['"`])[\w/]*\b(?:a|ba|da|k|z)?sh\1,\s*\[?\s*(['"`])-\w*c\2,\s*(.*)/g;
    const handed = sources.flatMap((file) =>
      [...read(file).matchAll(shells)].map(([, , , words]) => `${file}: ${words}`),
    );
    // Both are constant, and what they are about comes as arguments, which a shell does not read as commands.
    expect(handed).toEqual([
      // Whether another user gets to a folder is asked as that user, which takes a program that tries.
      `server/platform/embedded-postgres/home.ts: 'cd "$1" && test -x "$2"', 'sh', folder, program], {`,
      // Ends the database of a test after us, so it cannot be done by our own process.
      `server/platform/embedded-postgres/process.ts: 'read -r _; kill -INT "$1"', 'sh', String(pid)], {`,
    ]);
  });

  it('no certificate goes unchecked', () =>
    expect(having(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/)).toEqual([]));
});
