import { expect, it } from 'vitest';
import { drawModules, picture } from './picture.ts';

it('docs/modules.md shows the modules as they are (npm run picture draws it)', () => {
  const { drawn, stored } = picture();
  expect(stored).toBe(drawn);
});

it('an arrow is an import of another room, drawn once, and tests draw none', () => {
  const drawn = drawModules(
    new Map([
      ['server/modules/users/service.ts', "import './store.ts';\nimport '../mail/service.ts';"],
      ['server/modules/users/store.ts', "import type { Db } from '../../platform/postgres/db.ts';"],
      ['server/modules/mail/service.ts', ''],
      ['server/modules/mail/service.test.ts', "import '../users/service.ts';"],
      ['web/app/ui/a.tsx', ''],
    ]),
  );
  expect(drawn.split('\n').filter((line) => line.includes('-->'))).toEqual([
    '  server_users --> server_mail',
  ]);
  expect(drawn).toContain('web_ui[ui]');
});
