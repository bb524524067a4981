import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { quickFolder } from './tools/quick-folder.ts';
import { isEveryday, longTests } from './tools/test-size.ts';

process.env.TMPDIR = quickFolder();

/** Whether a test, or a part of the tests that it imports, asks for the run's database. `npm run check` does without it. */
function usesDatabase(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(join(import.meta.dirname, file), 'utf8');
  const imports = text.matchAll(/^(?:im|ex)port (?!type )[^;]*? from '(\.[^']*)'/gm);
  const imported = [...imports].map(([, path = '']) => join(dirname(file), path));
  return /adminUrl/.test(text) || imported.some((part) => isOfTests(part) && usesDatabase(part, seen));
}
const isOfTests = (file: string) => file.startsWith('server/testing/');
const onTheDatabase = [
  ...globSync('server/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) => usesDatabase(file)),
  'drills/fuzz/*.test.ts',
  'tools/fifth-coin.test.ts',
  'tools/dev/begin-anew.test.ts',
];

const exclude = [...configDefaults.exclude, ...(isEveryday ? longTests : [])];

/** What mostly waits for processes that it starts and kills comes first: at the end it would be waited for alone. */
class DrillsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isDrill = ({ moduleId }: TestSpecification) => /\/drills\/|\/server\/process\./.test(moduleId);
    return [...sorted.filter(isDrill), ...sorted.filter((file) => !isDrill(file))];
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // Test files share nothing but read-only modules, so a worker may keep those from one file to the next.
    isolate: false,
    // A test waits for the database most of its time.
    maxWorkers: 3,
    sequence: { sequencer: DrillsFirst },
    // A busy machine is no failure: what is right arrives long before. These end only what stands still.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 45_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'database',
          include: onTheDatabase,
          exclude,
          // One real PostgreSQL for the whole run; each test file clones its own database from a template.
          globalSetup: './server/testing/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'rest',
          include: ['{contract,drills,ops,server,verify,web,tools}/**/*.test.ts'],
          exclude: [...exclude, ...onTheDatabase],
        },
      },
    ],
  },
});
