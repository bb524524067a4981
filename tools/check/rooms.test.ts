import { expect, it } from 'vitest';
import { roomsOf } from './rooms.ts';

it('a change is first tried with the tests of the rooms it is in', () => {
  const files = [
    'server/modules/users/service.ts',
    'server/modules/users/letters/a.ts',
    'server/platform/http/pages.ts',
    'server/config/env.ts',
    'web/app/investor/dashboard/page.tsx',
    'contract/operator/books.ts',
    'package.json',
    'docs/money.md',
  ];
  expect(roomsOf(files)).toEqual([
    'contract/',
    'server/config/',
    'server/modules/users/',
    'server/platform/http/',
    'web/app/investor/',
  ]);
});
