import { expect, it } from 'vitest';
import { testsNear } from './rooms.ts';

const tests = [
  'contract/money.test.ts',
  'server/modules/users/rules.test.ts',
  'server/modules/users/sessions.test.ts',
  'server/modules/withdrawal/steps.test.ts',
  'server/modules/withdrawal/withdrawal.test.ts',
  'server/platform/http/pages.test.ts',
  'tools/check/changed.test.ts',
  'tools/dev/front.test.ts',
  'web/app/investor/dashboard/maturity.test.ts',
];

it.each([
  ['the test of its own name', ['server/modules/users/sessions.ts'], [2]],
  ['that and the one named after its room', ['server/modules/withdrawal/steps.ts'], [3, 4]],
  ['the one named after its room', ['server/modules/withdrawal/store.ts'], [4]],
  ['all of its room where none is named after either', ['server/modules/users/store.ts'], [1, 2]],
  ['itself, when it is a test', ['server/platform/http/pages.test.ts'], [5]],
  ['what is near to each, once', ['web/app/investor/dashboard/page.tsx', 'contract/money.ts'], [0, 8]],
  ['those of its own tool', ['tools/check/main.ts'], [6]],
  ['those of all tools, where its own has none', ['tools/chains/desk.ts'], [6, 7]],
  [
    'nothing, where a room of the product has none',
    ['server/migrations/0001-users.sql', 'web/app/native/faq.ts'],
    [],
  ],
  ['nothing, when it is no code or in no room', ['docs/money.md', 'package.json'], []],
])('a change is first tried with %s', (_, files, wanted) => {
  expect(testsNear(files, tests)).toEqual(wanted.map((index) => tests[index]));
});
