import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { quickFolder } from '../../tools/quick-folder.ts';

process.env.TMPDIR = quickFolder();

/** Stryker works on a copy of the repository; by a package's name the original would be found, which nobody mutates. */
const root = process.cwd();
const { tests = [], onDatabase = false } = JSON.parse(process.env.MUTATION_GROUP ?? '{}');

export default defineConfig({
  root,
  resolve: { alias: [{ find: /^@tallystick\/contract\/(.*)$/, replacement: join(root, 'contract/$1.ts') }] },
  test: {
    environment: 'node',
    include: tests,
    setupFiles: [join(root, 'drills/mutation/same-chance.ts')],
    globalSetup: onDatabase ? [join(root, 'server/testing/global-setup.ts')] : [],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
