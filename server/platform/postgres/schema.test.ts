import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';
import { cloneTemplate } from '../../testing/database.ts';

it('the checked-in types of the database are those of the migrated schema (npm run schema writes them)', async () => {
  const database = await cloneTemplate(inject('adminUrl'));
  try {
    const run = promisify(execFile)('node', ['tools/schema.ts', '--verify', '--url', database.url]);
    await expect(run).resolves.toBeTruthy();
  } finally {
    await database.drop();
  }
});
