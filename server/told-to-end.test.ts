import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { isRunByNpm } from './told-to-end.ts';

const ours = fileURLToPath(new URL('../package.json', import.meta.url));

it.each([
  ['npm start', { npm_lifecycle_event: 'start', npm_package_json: ours }, true],
  ['npm run dev', { npm_lifecycle_event: 'dev', npm_package_json: ours }, true],
  ['npm run demo:chains', { npm_lifecycle_event: 'demo:chains', npm_package_json: ours }, true],
  ['no npm', {}, false],
  [
    'a script that leaves it in the background',
    { npm_lifecycle_event: 'deploy', npm_package_json: ours },
    false,
  ],
  ['npx', { npm_lifecycle_event: 'npx', npm_package_json: ours }, false],
  [
    'a program that was itself begun by npm start',
    {
      npm_lifecycle_event: 'start',
      npm_package_json: fileURLToPath(new URL('package.json', import.meta.url)),
    },
    false,
  ],
  [
    'npm start of what is no more',
    { npm_lifecycle_event: 'start', npm_package_json: '/gone/package.json' },
    false,
  ],
])('begun by %s', (_what, env, shallEndWithIt) => {
  expect(isRunByNpm(env)).toBe(shallEndWithIt);
});
