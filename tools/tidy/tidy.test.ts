import * as fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findUntidy } from './tidy.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const notOurs = new Set(['node_modules', '.git', '.react-router', 'web/build', 'data', 'test-results']);
const readable = /\.(ts|tsx|mjs|css|sql|md|json|html|svg|txt)$/;

function readRepository(folder = ''): [string, string][] {
  return fs
    .readdirSync(path.join(root, folder), { withFileTypes: true })
    .flatMap((entry): [string, string][] => {
      const file = path.posix.join(folder, entry.name);
      if (notOurs.has(entry.name) || notOurs.has(file)) return [];
      if (entry.isDirectory()) return readRepository(file);
      return entry.isFile()
        ? [[file, readable.test(file) ? fs.readFileSync(path.join(root, file), 'utf8') : '']]
        : [];
    });
}

/** The messages for a repository of one file, or of several. */
function complaints(files: Record<string, string>): string[] {
  return findUntidy(new Map(Object.entries(files))).map(
    ({ file, line, message }) => `${file}:${line} ${message}`,
  );
}

describe('this repository', () => {
  const files = new Map(readRepository());

  it('is really looked at', () => {
    expect(files.has('tools/tidy/tidy.ts')).toBe(true);
    expect([...files.keys()].filter((file) => file.startsWith('server/')).length).toBeGreaterThan(10);
  });

  it('is tidy', () => {
    expect(findUntidy(files).map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([]);
  });
});

const lines = (count: number, line = '  work();') => Array.from({ length: count }, () => line).join('\n');
const bigFunction = `function big() {\n${lines(69)}\n}\n`;

/** Each bad example: what it breaks, the file, its text, a piece of the complaint. */
const bad: [string, string, string, string][] = [
  ['web imports server', 'web/app/root.tsx', "import '../../server/app.ts';", 'meet only in contract'],
  [
    'web imports server by name',
    'web/app/root.tsx',
    "import '@tallystick/server/app';",
    'meet only in contract',
  ],
  [
    'server imports web',
    'server/app.ts',
    "export * as w from '../web/app/api.ts';\nwork();",
    'meet only in contract',
  ],
  [
    'contract imports server',
    'contract/a.ts',
    "type A = import('../server/app.ts').A;",
    'meet only in contract',
  ],
  ['contract does I/O', 'contract/a.ts', "import 'node:fs';", 'no I/O'],
  ['contract imports a bare builtin', 'contract/a.ts', "import 'fs';", 'no I/O'],
  ['contract fetches', 'contract/a.ts', "fetch('/x');", 'no I/O'],
  [
    'platform imports a module',
    'server/platform/a.ts',
    "import '../modules/mail/service.ts';",
    'platform imports',
  ],
  [
    'routes import more than types of the store',
    'server/modules/mail/routes.ts',
    "import { type A, a } from './store.ts';",
    'routes imports store',
  ],
  [
    'service imports routes',
    'server/modules/mail/service.ts',
    "import './routes.ts';",
    'service imports routes',
  ],
  ['store imports rules', 'server/modules/mail/code-store.ts', "import './rules.ts';", 'store imports rules'],
  [
    'a store imports types of the service',
    'server/modules/mail/store.ts',
    "import type { A } from './service.ts';",
    'store imports service',
  ],
  [
    'rules import the store',
    'server/modules/mail/rules.ts',
    "import type { A } from './store.ts';",
    'rules imports store',
  ],
  [
    'rules import the service',
    'server/modules/mail/rules.ts',
    "await import('./service.ts');",
    'rules imports service',
  ],
  [
    'letters import the service',
    'server/modules/mail/letters/a.ts',
    "import '../service.ts';",
    'rules imports service',
  ],
  [
    'a deep import, be it of a type',
    'server/modules/users/service.ts',
    "import type { A } from '../mail/store.ts';",
    'another module is its service.ts',
  ],
  ['a row below', 'server/modules/mail/service.ts', "import '../users/service.ts';", 'not in a row above'],
  [
    'the same row',
    'server/modules/funding/service.ts',
    "import '../investment/service.ts';",
    'not in a row above',
  ],
  [
    'a store imports a service',
    'server/modules/users/store.ts',
    "import '../mail/service.ts';",
    'another module',
  ],
  ['an unknown word', 'server/modules/wallets/service.ts', "import 'zod';", 'words that modules have'],
  [
    'a service knows HTTP',
    'server/modules/mail/service.ts',
    "import type { A } from 'fastify';",
    'outside routes',
  ],
  ['a demo page knows HTTP', 'server/demo/seed.ts', "import '@fastify/cookie';", 'outside routes'],
  ['rules do I/O', 'server/modules/mail/rules.ts', "import 'node:fs/promises';", 'no I/O'],
  ['rules use the driver', 'server/modules/mail/rules.ts', "import { sql } from 'kysely';", 'no I/O'],
  ['rules use the pool', 'server/modules/mail/rules.ts', "import '../../platform/postgres/db.ts';", 'no I/O'],
  ['rules fetch', 'server/modules/mail/rules.ts', 'await globalThis.fetch(url);', 'no I/O'],
  ['rules ask for the time', 'server/modules/mail/rules.ts', 'const now = Date.now();', 'clock'],
  ['rules make a date of now', 'server/modules/mail/rules.ts', 'const now = new Date();', 'clock'],
  ['SQL in a service', 'server/modules/mail/service.ts', "import { sql } from 'kysely';", 'outside a store'],
  ['the driver in a service', 'server/modules/mail/service.ts', "import pg from 'pg';", 'outside a store'],
  [
    'a query in a service',
    'server/modules/mail/service.ts',
    "db\n.selectFrom('a');",
    ':1 selectFrom outside a store',
  ],
  ['a ledger write', 'server/modules/users/store.ts', 'sql`insert into ledger_entry values (1)`;', 'ledger'],
  ['a ledger update', 'server/commands/fix.ts', 'sql`update only "ledger_account" set n = 1`;', 'ledger'],
  ['a built ledger write', 'server/modules/users/store.ts', "db.deleteFrom('ledger_entry');", 'ledger'],
  [
    'an area imports another',
    'web/app/investor/a.tsx',
    "import '../operator/b.tsx';",
    'imports the area operator',
  ],
  ['domain imports an area', 'web/app/domain/a.tsx', "import '../public/b.tsx';", 'domain imports'],
  ['ui imports domain', 'web/app/ui/a.tsx', "import '../domain/b.tsx';", 'ui imports domain'],
  ['ui imports the api', 'web/app/ui/a.tsx', "import { call } from '../api.ts';", 'ui imports api'],
  ['api imports an area', 'web/app/api.ts', "import './investor/a.ts';", 'api imports investor'],
  ['a second fetch', 'web/app/domain/a.tsx', 'const a = <b>{fetch(url)}</b>;', 'fetch outside'],
  ['a long file', 'web/app/ui/a.css', lines(301, 'a{}'), '301 lines'],
  ['a long function', 'server/app.ts', bigFunction, 'a function of 71 lines'],
  ['a long factory', 'server/app.ts', bigFunction.replace('big', 'createA'), 'a function of 71'],
  ['a long verb', 'server/app.ts', `function createA() {\n${bigFunction}}`, ':2 a function of 71'],
  [
    'a long arrow',
    'web/app/root.tsx',
    `const a = () => (\n<p>\n${lines(68, '<b />')}\n</p>);`,
    'function of 71',
  ],
  [
    'a long method',
    'server/app.ts',
    `class A {\n${bigFunction.replace('function ', '')}}`,
    'a function of 71',
  ],
  [
    'a long test',
    'server/app.test.ts',
    `describe('a', () => {\nit('b', () => {\n${lines(69)}\n});\n});`,
    ':2 a function',
  ],
  ['an empty name', 'server/platform/utils.ts', 'work();', 'says nothing'],
  ['an empty folder name', 'web/app/helpers/date.ts', 'work();', 'says nothing'],
  [
    'a barrel',
    'web/app/ui/index.ts',
    "export * from './a.ts';\nexport { b } from './b.ts';",
    'only passes on',
  ],
  [
    'a barrel in two steps',
    'web/app/ui/index.ts',
    "import { a } from './a.ts';\nexport { a };",
    'only passes on',
  ],
  ['a lonely test', 'server/app.test.ts', "it.only('a', () => {});", '.only('],
  ['a skipped test', 'e2e/a.ts', "test.skip('a', () => {});", '.skip('],
  ['a skipped table', 'server/app.test.ts', "it.skip.each([1])('a', () => {});", '.skip('],
  ['a planned test', 'server/app.test.ts', "it.todo('a');", '.todo('],
  ['unfinished work', 'server/app.ts', 'work();\n// TODO: more', ':2 TODO'],
  ['a promise on a page', 'web/app/root.tsx', 'const a = <b>Guaranteed</b>;', 'nothing here is'],
  ['a promise in content', 'content/brand.json', '{"a":"guaranteed"}', 'nothing here is'],
  ['a promise in a letter', 'server/modules/mail/letters/a.ts', "const a = 'guaranteed';", 'nothing here is'],
  ['an address as it came', 'server/platform/a.ts', 'count(request.ip);', 'request.clientAddress'],
  ['a route by its spelling', 'server/app.ts', "request.url.startsWith('/api/');", 'routeOptions.url'],
  ['an object for its layout', 'server/app.ts', 'work({\n  ...{ a, b },\n  c });', ':2 spreads a literal'],
  ['an array for its layout', 'server/app.test.ts', "const a = [...['b', 'c'], 'd'];", 'spreads a literal'],
  ['arguments for their layout', 'server/app.ts', 'work(...[a, b]);', 'spreads a literal'],
  ['a cast to never', 'server/app.ts', 'const a = b as never;', "'as never'"],
  ['broken code', 'server/app.ts', 'const = 1;', 'server/app.ts:1'],
];

describe('the checker complains of', () => {
  it.each(bad)('%s', (_, file, text, complaint) => {
    expect(complaints({ [file]: text }).join('\n')).toContain(complaint);
  });
});

/** What is allowed, so that a rule that complains of everything would be noticed. */
const good: [string, string, string][] = [
  [
    'routes that call a service',
    'server/modules/users/routes.ts',
    "import 'fastify';\nimport './service.ts';",
  ],
  [
    'routes that name what a store finds and ask the rules',
    'server/modules/users/routes.ts',
    "import { a } from './rules.ts';\nimport type { Row } from './code-store.ts';",
  ],
  [
    'a store that names what the rules are about',
    'server/modules/users/code-store.ts',
    "import type { Status } from './rules.ts';",
  ],
  [
    'a service with its store and rules',
    'server/modules/users/service.ts',
    "import './code-store.ts';\nimport './rules.ts';",
  ],
  ['a service from a row above', 'server/modules/operator/routes.ts', "import '../withdrawal/service.ts';"],
  [
    'SQL in a store',
    'server/modules/users/code-store.ts',
    "import { sql } from 'kysely';\ndb.selectFrom('a');",
  ],
  ['types of the query builder', 'server/modules/users/service.ts', "import type { Kysely } from 'kysely';"],
  [
    'the ledger writing its tables',
    'server/modules/ledger/store.ts',
    'sql`insert into ledger_entry values (1)`;',
  ],
  ['reading the ledger', 'server/modules/operator/store.ts', 'sql`select 1 from ledger_entry`;'],
  [
    'rules with a given time',
    'server/modules/users/rules.ts',
    "import 'node:crypto';\nconst due = new Date(now + 1);",
  ],
  [
    'an area with domain, ui and api',
    'web/app/public/a.tsx',
    "import '../ui/a.tsx';\nimport '../domain/a.tsx';\nimport '../api.ts';",
  ],
  ['the one fetch', 'web/app/api.ts', 'await fetch(url);'],
  ['contract in both', 'web/app/api.ts', "import '@tallystick/contract/users';"],
  ['a function of 70 lines', 'server/app.ts', bigFunction.replace('  work();\n', '')],
  [
    'a long chapter of tests',
    'server/app.test.ts',
    `describe('a', () => {\n${lines(90, "it('b', () => {});")}\n});`,
  ],
  ['a factory of many verbs', 'server/a.ts', `function createA() {\n${lines(40, 'function b() {\n}')}\n}`],
  ['a test that needs root', 'server/app.test.ts', "it.runIf(asRoot)('a', () => {});"],
  [
    'a file that adds to what it passes on',
    'server/app.ts',
    "export type { A } from './a.ts';\nexport const b = 1;",
  ],
  ['a spread that decides', 'server/app.ts', 'work({ ...(a && { a }), ...(b ? { b } : {}), ...c, ...d() });'],
  ['a spread of what is made of a list', 'server/app.ts', "const a = [...['b', 'c'].map(work), ...d];"],
  ['the generated schema', 'server/platform/postgres/schema.ts', lines(400)],
];

describe('the checker accepts', () => {
  it.each(good)('%s', (_, file, text) => {
    expect(complaints({ [file]: text })).toEqual([]);
  });
});
